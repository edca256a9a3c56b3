import type { FastifyBaseLogger } from 'fastify'
import type { Usage, UsageStore } from '#store/clickhouse/usage.ts'

/** Keys and tokens can be looked after while ClickHouse is away: then they are shown as never used. */
export async function usageOf(
  usage: UsageStore,
  accountId: string,
  credential: 'api_key_id' | 'token_id',
  log: FastifyBaseLogger,
): Promise<Map<string, Usage>> {
  try {
    return await usage.byCredential(accountId, credential)
  } catch (error) {
    log.warn({ err: error }, 'usage is not known right now')
    return new Map()
  }
}
