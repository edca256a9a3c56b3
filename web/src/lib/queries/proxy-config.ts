import { ProxyConfig } from '#schemas/proxy-config.ts'
import { jsonQuery } from './json-query.ts'

export const proxyConfigPath = '/api/proxy/config'

export const proxyConfigQuery = jsonQuery(ProxyConfig, proxyConfigPath)
