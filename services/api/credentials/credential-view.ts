import type { FastifyBaseLogger } from 'fastify'
import type { Usage, UsageStore } from '#store/clickhouse/usage.ts'

/** While ClickHouse is unavailable, keys and tokens can still be managed, and are shown as never used. */
export async function usageOf(
  usage: UsageStore,
  accountId: string,
  credential: 'api_key_id' | 'token_id',
  log: FastifyBaseLogger,
): Promise<Map<string, Usage>> {
  try {
    return await usage.byCredential(accountId, credential)
  } catch (error) {
    log.warn({ err: error }, 'usage is unavailable')
    return new Map()
  }
}
