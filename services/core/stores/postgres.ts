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
    onnotice: () => {},
    connection: { application_name: `sallyport-${name}`, statement_timeout: patienceMs },
  })
}

/** postgres.js checks the certificate of `verify-full` for a name only, and would look for `localhost` in place of an address. */
function certificateAddress(postgresUrl: string): { ssl?: { host: string } } {
  const { hostname, searchParams } = new URL(postgresUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return searchParams.get('sslmode') === 'verify-full' && isIP(host) !== 0 ? { ssl: { host } } : {}
}
