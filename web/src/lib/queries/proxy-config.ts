import { queryOptions } from '@tanstack/react-query'
import { ProxyConfig } from '#schemas/proxy-config.ts'
import { fetchJson } from '../api.ts'

export const proxyConfigQuery = queryOptions({
  queryKey: ['/api/proxy/config'],
  queryFn: ({ signal }) => fetchJson(ProxyConfig, 'GET', '/api/proxy/config', { signal }),
})
