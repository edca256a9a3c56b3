import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { findFreePort } from '#tools/process/free-port.ts'
import type { Certificate } from './certificates.ts'
import { createProcess } from './controlled-process.ts'

/** From Debian's package, which `.ci/run` installs. */
const binaries = '/usr/lib/postgresql/15/bin'

/** Postgres does not run as root, and only root can become the user of the package. */
export const hasDebianPostgres = existsSync(`${binaries}/postgres`) && process.getuid?.() === 0
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups']

/**
 * Starts Postgres 15 with an empty database; its files are deleted at the end.
 * @param certificate for TLS
 */
export async function startDebianPostgres(certificate?: Certificate) {
  const data = await mkdtemp(join(tmpdir(), 'sallyport-postgres-'))
  await execa('chown', ['postgres:postgres', data])
  const initdb = ['--pgdata', data, '--username', 'sallyport', '--auth', 'trust', '--locale', 'C', '--no-sync']
  await execa('setpriv', [...asPostgres, `${binaries}/initdb`, ...initdb], { cwd: '/' })
  const port = await findFreePort()
  const key = join(data, 'server.key')
  if (certificate) {
    // Postgres rejects a key that another user owns.
    await copyFile(certificate.key, key)
    await execa('chown', ['postgres', key])
  }
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  if (certificate) settings.push('ssl=on', `ssl_cert_file=${certificate.cert}`, `ssl_key_file=${key}`)
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
