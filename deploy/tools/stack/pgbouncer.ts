import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { findCommand } from '#tools/process/find-command.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { createProcess } from './controlled-process.ts'

/** From Debian's package, which `.ci/run` installs. */
const program = findCommand(['pgbouncer'])

/** PgBouncer does not run as root, and only root can become the package's user. */
export const hasPgBouncer = program !== undefined && process.getuid?.() === 0

/** Starts PgBouncer with four connections to Postgres, in transaction pooling mode. */
export async function startPgBouncer(postgresUrl: string) {
  const { hostname, port: serverPort, username, password, pathname } = new URL(postgresUrl)
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-pgbouncer-'))
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  const server = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`
  await writeFile(
    file,
    `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
ignore_startup_parameters = statement_timeout
`,
  )
  await execa('chown', ['-R', 'postgres:postgres', folder])
  const pooler = createProcess({
    name: 'PgBouncer',
    command: 'setpriv',
    args: ['--reuid=postgres', '--regid=postgres', '--clear-groups', program!, file],
    ready: (output) => output.some((line) => line.includes('process up')),
    readyWithinMs: 20_000,
  })
  await pooler.start()
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}?prepare=false`,
    async stop() {
      await pooler.stop()
      await rm(folder, { recursive: true })
    },
  }
}
