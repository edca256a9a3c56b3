import { StartupProblem } from '#core/process/startup.ts'
import type { Redis } from '#core/redis/redis.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { selectRow } from './clickhouse/clickhouse-rows.ts'

/** The oldest versions that Sallyport is tested with. Valkey reports itself as Redis 7.2. */
export const oldestVersions = { Postgres: '15', Redis: '7.0', ClickHouse: '26.3' } as const

/** @throws StartupProblem for a server that is too old */
export async function requirePostgresVersion(sql: Sql): Promise<void> {
  const [row] = await sql<[{ version: string }]>`select current_setting('server_version') as version`
  requireVersion('Postgres', row.version)
}

/** @throws StartupProblem for a server that is too old */
export async function requireRedisVersion(redis: Redis): Promise<void> {
  const [, version = ''] = /^redis_version:(.*)$/m.exec(await redis.info('server')) ?? []
  requireVersion('Redis', version.trim())
}

/** @throws StartupProblem for a server that is too old */
export async function requireClickHouseVersion(clickhouse: ClickHouseClient): Promise<void> {
  const { version } = await selectRow<{ version: string }>(clickhouse, 'SELECT version() AS version')
  requireVersion('ClickHouse', version)
}

export function requireVersion(store: keyof typeof oldestVersions, found: string): void {
  const [major = 0, minor = 0] = numbersOf(found)
  const [oldestMajor = 0, oldestMinor = 0] = numbersOf(oldestVersions[store])
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new StartupProblem(`${store} ${found} is too old: Sallyport needs ${oldestVersions[store]} or newer.`)
}

/** Packages append their own version, as in `15.18 (Debian 15.18-0+deb12u1)`. */
const numbersOf = (version: string) => (/^[\d.]+/.exec(version)?.[0] ?? '').split('.').map(Number)
