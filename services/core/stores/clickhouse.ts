import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import {
  createClient,
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  type ClickHouseSettings,
} from '@clickhouse/client'
import type { Config } from '../config.ts'
import { makeDataFolder } from '../make-data-folder.ts'
import { minute, second } from '../units.ts'
import { sessionPool } from './session-pool.ts'
import { storePatienceMs } from './patience.ts'

export type { ClickHouseClient }

/** ClickHouse at its URL, or otherwise chDB on disk, with the same client and SQL. */
export async function openClickHouse(
  { clickhouseUrl, dataDir }: Pick<Config, 'clickhouseUrl' | 'dataDir'>,
  patienceMs = storePatienceMs.service,
): Promise<ClickHouseClient> {
  const settings: ClickHouseSettings = { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 }
  if (clickhouseUrl) {
    // Progress headers keep balancers from closing long queries; shorter intervals would make the headers too large.
    const progress = {
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: String(50 * second),
    } as const
    const clickhouseSettings = patienceMs > minute ? { ...settings, ...progress } : settings
    return createClient({
      url: clickhouseUrl,
      request_timeout: patienceMs,
      clickhouse_settings: clickhouseSettings,
      log,
    })
  }
  const path = join(dataDir, 'clickhouse')
  makeDataFolder(path)
  chmodSync(path, 0o700)
  const { createChdbConnection } = await import('chdb/connection')
  const sessions = Array.from({ length: chdbSessions }, () => createChdbConnection({ path }))
  // The types differ only in a settings class that both packages declare.
  const connection = sessionPool(sessions, patienceMs) as unknown as ClickHouseClientConfigOptions['connection']
  return createClient({ connection, clickhouse_settings: settings, log })
}

/** Callers log failures as JSON, whereas the client's own lines are plain text. */
const log = { level: ClickHouseLogLevel.OFF }

/** A chDB session runs one query at a time; with several sessions, a chart does not wait for an insert. */
const chdbSessions = 4
