import { queryOptions } from '@tanstack/react-query'
import { ProxyConfig } from '#schemas/proxy-config.ts'
import { fetchJson } from '../api.ts'

export const proxyConfigPath = '/api/proxy/config'

export const proxyConfigQuery = queryOptions({
  queryKey: [proxyConfigPath],
  queryFn: ({ signal }) => fetchJson(ProxyConfig, 'GET', proxyConfigPath, { signal }),
})
