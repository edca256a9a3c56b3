import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import type { Invalidate } from '#core/invalidation.ts'
import type { Vault } from '#core/vault.ts'
import type { AccountStore } from '#store/accounts.ts'
import type { ApiKeyStore } from '#store/api-keys.ts'
import type { ProxyConfigStore } from '#store/proxy-configs.ts'
import type { RequestLogStore } from '#store/request-logs.ts'
import type { SecureTokenStore } from '#store/secure-tokens.ts'
import type { SessionStore } from '#store/sessions.ts'
import type { UsageStore } from '#store/usage.ts'
import { handleErrors } from './plugins/errors.ts'
import { watchMethods } from './plugins/method-not-allowed.ts'
import { requireSameSite } from './plugins/same-site.ts'
import { createSessions, requireSession } from './plugins/session.ts'
import { accountRoutes } from './routes/account.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { proxyConfigRoutes } from './routes/proxy-config.ts'
import { requestLogRoutes } from './routes/request-logs.ts'
import { secureTokenRoutes } from './routes/secure-tokens.ts'
import { serveWebApp } from './web-app.ts'

export interface ApiOptions {
  accounts: AccountStore
  sessions: SessionStore
  apiKeys: ApiKeyStore
  tokens: SecureTokenStore
  configs: ProxyConfigStore
  logs: RequestLogStore
  usage: UsageStore
  vault: Vault
  invalidate: Invalidate
  sessionSecret: string
  /** Whether people reach the site by HTTPS. */
  secure: boolean
  providerBaseUrl: string
}

/** The control plane and the web app. */
export const apiPlugin: FastifyPluginAsync<ApiOptions> = async (app, options) => {
  const { accounts, apiKeys, tokens, configs, logs, usage, vault, invalidate } = options
  handleErrors(app)
  requireSameSite(app)
  app.removeContentTypeParser('text/plain')
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        // Floating parts are placed by style attributes; no script is ever inline.
        styleSrc: ["'self'", "'unsafe-inline'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    hsts: options.secure,
  })
  const sessions = await createSessions(app, {
    sessions: options.sessions,
    secret: options.sessionSecret,
    secure: options.secure,
  })

  const closeMethods = watchMethods(app)
  await app.register(accountRoutes, { accounts, sessions, baseUrl: options.providerBaseUrl })
  await app.register(async (signedIn) => {
    requireSession(signedIn, sessions)
    await signedIn.register(apiKeyRoutes, { apiKeys, configs, usage, vault, invalidate })
    await signedIn.register(secureTokenRoutes, { tokens, usage, vault, invalidate })
    await signedIn.register(proxyConfigRoutes, { configs })
    await signedIn.register(requestLogRoutes, { logs, usage })
  })
  closeMethods()
  await serveWebApp(app)
}
