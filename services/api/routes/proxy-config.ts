import { ProxyConfig, ProxyTestResult, SaveProxyConfig } from '#schemas/proxy-config.ts'
import { second } from '#core/units.ts'
import type { Vault } from '#shared/vault.ts'
import { apiKeyContext, type ApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import type { ProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import type { ConfirmPassword } from '../sign-in/confirm-password.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import type { UrlCheck } from '../credentials/url-check.ts'
import { failedTestText, type ProviderCheck } from '../credentials/provider-check.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { requireSignedIn, signedInRoutes } from '../plugins/session.ts'

interface ProxyConfigRouteOptions {
  configs: ProxyConfigStore
  apiKeys: ApiKeyStore
  vault: Vault
  provider: ProviderCheck
  urls: UrlCheck
  confirmPassword: ConfirmPassword
  throttle: Throttle
}

/** The test waits no longer than this, even if the configured timeout is longer. */
const maxTestMs = 30 * second

/** Source: product.md 8.8. */
export const proxyConfigRoutes = signedInRoutes<ProxyConfigRouteOptions>(async (app, options) => {
  const { configs, apiKeys, vault, provider, urls, confirmPassword, throttle } = options

  app.get(
    '/api/proxy/config',
    { schema: { summary: 'Get the proxy configuration', response: { 200: ProxyConfig } } },
    ({ user }) => configs.get(user.id),
  )

  app.post(
    '/api/proxy/config',
    {
      schema: {
        summary: 'Save the proxy configuration',
        description:
          'If the base URL gets another origin, the password has to be confirmed first, or the call fails with 403 `confirm_password`; while there are API keys, it also needs `currentPassword`, or it fails with 409 `confirm_origin`.',
        body: SaveProxyConfig,
        response: { 200: ProxyConfig },
      },
    },
    async (request) => {
      const { user } = request
      const { credential } = requireSignedIn(request)
      const { currentPassword, ...changes } = request.body
      await throttle.count('configSave', user.id)
      await urls.check(request, {
        url: new URL(changes.baseUrl),
        field: 'baseUrl',
        label: 'Base URL',
        ownMessage: 'Base URL must lead to a provider, not to this gateway itself',
      })
      const attemptsOf = credential.kind === 'session' ? user.id : credential.id
      if (currentPassword) await confirmPassword(user.id, currentPassword, attemptsOf)
      const confirmed = { isSession: request.isConfirmed, isOrigin: Boolean(currentPassword) }
      return configs.save(user.id, changes, confirmed, auditSourceOf(request))
    },
  )

  app.post(
    '/api/proxy/test',
    {
      schema: {
        summary: 'Call the provider with the API key that requests try first',
        description: failedTestText,
        response: { 200: ProxyTestResult },
      },
    },
    async ({ user }) => {
      await throttle.count('providerCall', user.id)
      const config = await configs.get(user.id)
      const { origin } = new URL(config.baseUrl)
      const keys = await apiKeys.inOrder(user.id, origin)
      const key = keys.find(({ sealedKey }) => !vault.isLost(sealedKey))
      if (!key) return { success: false, message: 'No API key is active. Add one.' }
      if (key.origin !== origin) {
        const message = `Your API keys were entered for ${key.origin} and are not sent to ${origin}. Add a key for it.`
        return { success: false, message }
      }
      const secret = vault.open(key.sealedKey, apiKeyContext(user.id, key.id, origin))
      const result = await provider.ask(user.id, config, secret, Math.min(config.timeout, maxTestMs))
      return key.isPrimary
        ? result
        : { ...result, message: `Tested with a backup key, as no primary key can be used. ${result.message}` }
    },
  )
})
