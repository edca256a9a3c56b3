import { isIP } from 'node:net'
import postgres from 'postgres'
import type { Config } from '../config.ts'
import { storePatienceMs } from './patience.ts'

export type Sql = postgres.Sql
export type Transaction = postgres.TransactionSql

export function openPostgres(
  { postgresUrl, postgresPool = 10 }: Pick<Config, 'postgresUrl'> & Partial<Pick<Config, 'postgresPool'>>,
  name: string,
  patienceMs = storePatienceMs.service,
): Sql {
  return postgres(postgresUrl, {
    ...certificateAddress(postgresUrl),
    max: postgresPool,
    connect_timeout: 5,
    idle_timeout: 60,
    // After a failover, a connection may lead to a server that only reads.
    max_lifetime: 120,
    onnotice: () => {},
    connection: { application_name: `sallyport-${name}`, statement_timeout: patienceMs },
  })
}

/** @throws Error for a replica, or a server that only reads for another reason, such as a full disk */
export async function requireWritablePostgres(sql: Sql): Promise<void> {
  const [setting] = await sql`select current_setting('transaction_read_only') as "readOnly"`
  if (setting?.readOnly !== 'off') throw new Error('Postgres is read-only')
}

/** With `verify-full`, postgres.js checks certificates for names only; for an address, it would check `localhost`. */
function certificateAddress(postgresUrl: string): { ssl?: { host: string } } {
  const { hostname, searchParams } = new URL(postgresUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return searchParams.get('sslmode') === 'verify-full' && isIP(host) !== 0 ? { ssl: { host } } : {}
}
