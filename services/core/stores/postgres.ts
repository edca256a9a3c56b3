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

/** With `verify-full`, postgres.js checks certificates for names only; for an address, it would check `localhost`. */
function certificateAddress(postgresUrl: string): { ssl?: { host: string } } {
  const { hostname, searchParams } = new URL(postgresUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return searchParams.get('sslmode') === 'verify-full' && isIP(host) !== 0 ? { ssl: { host } } : {}
}
