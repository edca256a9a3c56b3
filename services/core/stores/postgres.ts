import { isIP } from 'node:net'
import postgres from 'postgres'
import type { Config } from '../config.ts'
import { second } from '#core/units.ts'
import { storePatienceMs } from './patience.ts'
import { createPostgresSockets } from './postgres-sockets.ts'
import { createTransactionGuard } from './postgres-transactions.ts'

export type Sql = postgres.Sql
export type Transaction = postgres.TransactionSql

export function openPostgres(
  { postgresUrl, postgresPool = 10 }: Pick<Config, 'postgresUrl'> & Partial<Pick<Config, 'postgresPool'>>,
  name: string,
  patienceMs = storePatienceMs.service,
): Sql {
  const transactions = createTransactionGuard()
  const sql = postgres(postgresUrl, {
    ...certificateAddress(postgresUrl),
    // Migrations and copies may be silent for any time.
    ...(patienceMs < storePatienceMs.maintenance && { socket: createPostgresSockets(patienceMs + 2 * second) }),
    max: postgresPool,
    connect_timeout: 5,
    // The sockets reject attempts that follow a failed one. Otherwise, queries would wait in turn for up to 20 s each.
    backoff: () => 0,
    // Shorter than a socket may be silent.
    idle_timeout: 20,
    // After a failover, a connection may lead to a server that only reads.
    max_lifetime: 120,
    onnotice: () => {},
    onclose: transactions.onclose,
    // Otherwise, days of intervals are an hour longer or shorter where the server's clocks change.
    connection: { application_name: `sallyport-${name}`, statement_timeout: patienceMs, TimeZone: 'UTC' },
  })
  return transactions.watch(sql)
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
