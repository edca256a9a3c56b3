import { ProxyConfig, ProxyTestResult, SaveProxyConfig } from '#schemas/proxy-config.ts'
import { type AddressGuard, isForbiddenHost } from '#shared/address-guard.ts'
import { rejectField } from '#core/problem.ts'
import type { ResolveName } from '#core/resolver.ts'
import { second } from '#core/units.ts'
import type { Vault } from '#shared/vault.ts'
import { apiKeyContext, type ApiKeyStore } from '#store/postgres/credentials/api-keys.ts'
import type { ProxyConfigStore } from '#store/postgres/proxy-configs.ts'
import type { ConfirmPassword } from '../sign-in/confirm-password.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import type { IsOwnAddress } from '../credentials/own-address.ts'
import type { ProviderCheck } from '../credentials/provider-check.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface ProxyConfigRouteOptions {
  configs: ProxyConfigStore
  apiKeys: ApiKeyStore
  vault: Vault
  provider: ProviderCheck
  isAllowed: AddressGuard
  resolve: ResolveName
  isOwnAddress: IsOwnAddress
  confirmPassword: ConfirmPassword
  throttle: Throttle
}

/** Caps the configured timeout. */
const maxTestMs = 30 * second

/** Source: product.md 8.8. */
export const proxyConfigRoutes = signedInRoutes<ProxyConfigRouteOptions>(async (app, options) => {
  const { configs, apiKeys, vault, provider, isAllowed, resolve, isOwnAddress, confirmPassword, throttle } = options

  app.get(
    '/api/proxy/config',
    { schema: { summary: 'Proxy configuration', response: { 200: ProxyConfig } } },
    ({ user }) => configs.get(user.id),
  )

  app.post(
    '/api/proxy/config',
    { schema: { summary: 'Save the proxy configuration', body: SaveProxyConfig, response: { 200: ProxyConfig } } },
    async (request) => {
      const { user } = request
      const { currentPassword, ...changes } = request.body
      const baseUrl = new URL(changes.baseUrl)
      await throttle.count('configSave', user.id)
      if (await isForbiddenHost(baseUrl.hostname, isAllowed, (name) => resolve(user.id, name))) {
        throw rejectField('baseUrl', 'Base URL must not lead to a private or reserved address')
      }
      if (isOwnAddress(baseUrl, request)) {
        throw rejectField('baseUrl', 'Base URL must lead to a provider, not to this gateway itself')
      }
      if (currentPassword) await confirmPassword(user.id, currentPassword)
      const confirmed = { isSession: request.isConfirmed, isOrigin: Boolean(currentPassword) }
      return configs.save(user.id, changes, confirmed, auditSourceOf(request))
    },
  )

  app.post(
    '/api/proxy/test',
    { schema: { summary: 'Call the provider with the primary key', response: { 200: ProxyTestResult } } },
    async ({ user }) => {
      await throttle.count('providerCall', user.id)
      const [config, key] = await Promise.all([configs.get(user.id), apiKeys.getPrimary(user.id)])
      const { origin } = new URL(config.baseUrl)
      if (!key) return { success: false, message: 'No primary API key is set. Add one, or make one of yours primary.' }
      if (key.origin !== origin) {
        const message = `Your primary API key was entered for ${key.origin} and is not sent to ${origin}. Add a key for it.`
        return { success: false, message }
      }
      return provider.ask({
        accountId: user.id,
        baseUrl: config.baseUrl,
        credentialHeader: config.credentialHeader,
        key: vault.open(key.sealedKey, apiKeyContext(user.id, key.id, origin)),
        timeoutMs: Math.min(config.timeout, maxTestMs),
      })
    },
  )
})
