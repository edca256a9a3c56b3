import { createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPostgres, type Sql } from '#core/stores/postgres.ts'
import { prepareAppRole } from '#store/postgres/app-role.ts'
import { migratePostgres } from '#store/migrations.ts'
import { type PostgresUrls, startPostgres } from './postgres.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { createSupervisor } from '#tools/process/supervisor.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'

const supervisor = createSupervisor()
const silent = pino({ level: 'silent' })
const dataDir = temporaryFolder(afterAll)
let urls: PostgresUrls
let sql: Sql

beforeAll(async () => {
  urls = await startPostgres(supervisor, { dataDir, password: 'admin' })
  sql = openPostgres({ postgresUrl: urls.url }, 'test')
})
afterAll(async () => {
  await sql.end()
  await supervisor.stop()
})

const forbidden = {
  'reading a file': () => sql`select pg_read_file('/etc/passwd')`,
  'running a program': () => sql`copy (select 1) to program 'true'`,
  'making a role': () => sql`create role another superuser`,
  'making a database': () => sql`create database another`,
  'becoming a superuser': () => sql`alter role ${sql(new URL(urls.url).username)} superuser`,
  'reading the passwords of roles': () => sql`select * from pg_authid`,
}

test.each(Object.entries(forbidden))('the services have no rights beyond their tables: %s', async (_, attempt) => {
  await expect(attempt()).rejects.toThrow(/permission denied|must be superuser/)
})

test('they own their tables, even in an installation whose tables a superuser created', async () => {
  const { pathname } = new URL(urls.url)
  const older = new URL(urls.adminUrl)
  older.pathname = pathname
  const admin = openPostgres({ postgresUrl: older.href }, 'test')
  await admin.unsafe(`alter role ${new URL(urls.url).username} superuser`)
  await migratePostgres(admin, silent)
  await admin`create table measured (id integer generated always as identity primary key)`
  await expect(sql`select * from pg_authid`).resolves.toBeDefined()

  await prepareAppRole(urls.adminUrl, urls.url)
  await prepareAppRole(urls.adminUrl, urls.url)
  const owners = await admin`
    select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace`
  expect(owners).toEqual([{ owner: new URL(urls.url).username }])
  await expect(sql`select * from pg_authid`).rejects.toThrow('permission denied')
  await migratePostgres(sql, silent)
  await sql`alter table accounts add column extra text`
  await sql`insert into measured default values`
  await admin.end()
})

/** "AuthenticationOk" and "ReadyForQuery" of the protocol. */
const greeting = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I')

/** Accepts the connection, and ends it when the first query arrives. */
const greetAnd = (end: (socket: Socket) => void) => (socket: Socket) =>
  socket.once('data', () => {
    socket.write(greeting)
    socket.once('data', () => end(socket))
  })

const broken: Record<string, { talk: (socket: Socket) => void; reason: string }> = {
  'says nothing': { talk: () => {}, reason: 'within 0.2 s' },
  'closes each connection': { talk: (socket) => socket.destroy(), reason: 'Postgres cannot be reached' },
  'closes the connection at the first query': {
    talk: greetAnd((socket) => socket.destroy()),
    reason: 'CONNECTION_CLOSED',
  },
  'resets the connection at the first query': {
    talk: greetAnd((socket) => socket.resetAndDestroy()),
    reason: 'ECONNRESET',
  },
}

test.each(Object.entries(broken))('no role is awaited for ever from a server that %s', async (_, { talk, reason }) => {
  const server = createServer(talk)
  const port = await listenLocally(server)
  onTestFinished(() => void server.close())
  const url = `postgres://admin@127.0.0.1:${port}/postgres`
  await expect(prepareAppRole(url, url, 200)).rejects.toThrow(reason)
})

test('a server that ends before it has the role of the services is a failure of the start', async () => {
  const started = startPostgres({ ...supervisor, start: async () => {} }, { dataDir, password: 'admin' })
  await expect(started).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringMatching(/^Postgres has no role for the services: .*ECONNREFUSED/),
  })
})
