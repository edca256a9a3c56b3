import { keysOf } from '#core/records.ts'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import type { CredentialNames } from '#store/postgres/credentials/credential-names.ts'
import { nanoUsdPerUsd } from '#core/units.ts'

export interface ExportedLog extends RequestLogSummary {
  tokenName: string | null
  apiKeyName: string | null
  costUsd: number | null
}

/**
 * Columns of an export in order, and their types in Parquet. Programs may rely on the order, so add new columns at the
 * end.
 */
export const columnTypes = {
  id: 'STRING',
  createdAt: 'TIMESTAMP',
  method: 'STRING',
  endpoint: 'STRING',
  model: 'STRING',
  responseStatus: 'INT32',
  responseTime: 'INT64',
  timeToFirstByte: 'INT64',
  overheadUs: 'INT64',
  attempts: 'INT32',
  cacheStatus: 'STRING',
  streamed: 'BOOLEAN',
  promptTokens: 'INT64',
  completionTokens: 'INT64',
  cachedTokens: 'INT64',
  costNanoUsd: 'INT64',
  costSource: 'STRING',
  errorMessage: 'STRING',
  apiKeyId: 'STRING',
  tokenId: 'STRING',
  outcome: 'STRING',
  requestCount: 'INT64',
  errorCode: 'STRING',
  errorType: 'STRING',
  tags: 'STRING',
  apiKeyName: 'STRING',
  tokenName: 'STRING',
  costUsd: 'DOUBLE',
} as const satisfies Record<keyof ExportedLog, string>

export const columns = keysOf(columnTypes)

export const toExportedLog = (log: RequestLogSummary, names: CredentialNames): ExportedLog => ({
  ...log,
  tokenName: (log.tokenId && names.get(log.tokenId)) ?? null,
  apiKeyName: (log.apiKeyId && names.get(log.apiKeyId)) ?? null,
  costUsd: log.costNanoUsd === null ? null : log.costNanoUsd / nanoUsdPerUsd,
})
