import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { findFreePort } from '#tools/process/free-port.ts'
import { createProcess } from './controlled-process.ts'

/** Of Debian's package, which `.ci/run` installs. */
const binaries = '/usr/lib/postgresql/15/bin'

/** Postgres does not run as root, and only root can become the user of the package. */
export const hasDebianPostgres = existsSync(`${binaries}/postgres`) && process.getuid?.() === 0
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups']

/** Starts Postgres 15 with an empty database, whose files are deleted at the end. */
export async function startDebianPostgres() {
  const data = await mkdtemp(join(tmpdir(), 'sallyport-postgres-'))
  await execa('chown', ['postgres:postgres', data])
  const initdb = ['--pgdata', data, '--username', 'sallyport', '--auth', 'trust', '--locale', 'C', '--no-sync']
  await execa('setpriv', [...asPostgres, `${binaries}/initdb`, ...initdb], { cwd: '/' })
  const port = await findFreePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const server = createProcess({
    name: 'Postgres 15',
    command: 'setpriv',
    args: [...asPostgres, `${binaries}/postgres`, '-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    ready: (output) => output.some((line) => line.includes('ready to accept connections')),
    readyWithinMs: 60_000,
  })
  await server.start()
  return {
    url: `postgres://sallyport@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      await rm(data, { recursive: true })
    },
  }
}
