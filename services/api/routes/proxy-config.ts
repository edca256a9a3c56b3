import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ProxyConfig } from '#schemas/proxy-config.ts'
import type { ProxyConfigStore } from '#store/proxy-configs.ts'

interface ProxyConfigRouteOptions {
  configs: ProxyConfigStore
}

/** How the gateway treats an account's requests. Source: specification §7. */
export const proxyConfigRoutes: FastifyPluginAsyncZod<ProxyConfigRouteOptions> = async (app, { configs }) => {
  app.get('/api/proxy/config', { schema: { response: { 200: ProxyConfig } } }, ({ user }) => configs.get(user.id))
}
