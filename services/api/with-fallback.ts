import type { FastifyBaseLogger } from 'fastify'
import pTimeout from 'p-timeout'
import { second } from '#core/units.ts'
import { maxSeconds } from '#store/clickhouse/clickhouse-rows.ts'

/** Longer than ClickHouse may take for a query of a screen. */
const patienceMs = (maxSeconds + 1) * second

/** Resolves to `fallback` if the read fails or hangs, so that the rest of a page stays usable meanwhile. */
export const withFallback = <Value>(
  reading: Promise<Value>,
  fallback: NoInfer<Value>,
  log: FastifyBaseLogger,
  message: string,
): Promise<Value> =>
  pTimeout(reading, { milliseconds: patienceMs }).catch((error: unknown) => {
    log.warn({ err: error }, message)
    return fallback
  })
