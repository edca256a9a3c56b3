import pTimeout from 'p-timeout'
import { StartupProblem } from '#core/process/startup.ts'
import { openPostgres, type Sql } from '#core/stores/postgres.ts'
import { minute, second } from '#core/units.ts'

/** Arbitrary number that nothing else in the admin's database uses. */
const advisoryLock = 7_255_977

/**
 * Creates the role and the database of a URL, so that the services own their tables and nothing else on the server.
 * Removes further privileges of an existing role, and takes over tables of another owner.
 * @param adminUrl of a superuser
 * @param patienceMs for all of it
 */
export async function prepareAppRole(adminUrl: string, url: string, patienceMs = minute): Promise<void> {
  const { username, password, pathname } = new URL(url)
  const role = decodeURIComponent(username)
  const database = decodeURIComponent(pathname.slice(1))
  await asAdmin(adminUrl, patienceMs, async (sql) => {
    // Held until the session ends; the pool has no other one.
    await sql`select pg_advisory_lock(${advisoryLock})`
    await prepareRole(sql, role, decodeURIComponent(password))
    const [found] = await sql`select 1 from pg_database where datname = ${database}`
    if (!found) await sql`create database ${sql(database)} owner ${sql(role)}`
    else await sql`alter database ${sql(database)} owner to ${sql(role)}`
    const inDatabase = new URL(adminUrl)
    inDatabase.pathname = pathname
    await asAdmin(inDatabase.href, patienceMs, (own) => takeTables(own, role))
  })
}

async function asAdmin(postgresUrl: string, patienceMs: number, use: (sql: Sql) => Promise<void>): Promise<void> {
  const url = new URL(postgresUrl)
  // Otherwise, a connection that is lost while it reads array types would reject a promise that nothing handles.
  url.searchParams.set('fetch_types', 'false')
  const sql = openPostgres({ postgresUrl: url.href, postgresPool: 1 }, 'admin')
  const message = new StartupProblem(
    `Postgres did not prepare the role of the services within ${patienceMs / second} s.`,
  )
  try {
    // Without a timeout, postgres.js would reconnect forever to a server that closes its connections.
    await pTimeout(use(sql), { milliseconds: patienceMs, message })
  } finally {
    // Without a timeout it would never resolve after a query whose connection was lost.
    await sql.end({ timeout: 0 })
  }
}

async function prepareRole(sql: Sql, role: string, password: string): Promise<void> {
  const [found] = await sql`select 1 from pg_roles where rolname = ${role}`
  if (!found) await sql`create role ${sql(role)}`
  // ALTER ROLE does not accept parameters.
  const [{ statement }] = await sql<[{ statement: string }]>`
    select format('alter role %I with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %L',
      ${role}::text, ${password}::text) as statement`
  await sql.unsafe(statement)
}

/** Indexes and sequences of columns follow their table. */
async function takeTables(sql: Sql, role: string): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_get_userbyid(c.relowner) <> ${role}`
  for (const { name } of tables) await sql`alter table ${sql(name)} owner to ${sql(role)}`
}
