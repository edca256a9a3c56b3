import { root } from '#tools/root.ts'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFreePort } from '#tools/process/free-port.ts'
import { pino } from 'pino'
import { openPostgres } from '#core/stores/postgres.ts'
import { createVault } from '#shared/vault.ts'
import { servicesEnvironment } from '#tools/launcher/environment.ts'
import { describeServices } from '#tools/launcher/services.ts'
import type { Settings } from '#tools/launcher/settings.ts'
import { startStores } from '#tools/launcher/stores/stores.ts'
import { stage } from '#tools/process/supervisor.ts'
import { product } from '#schemas/product.ts'
import { migrationFolders } from '#store/migration-files.ts'
import { migratePostgres } from '#store/migrations.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { profileFlags } from './daemon.ts'
import { type BenchAccount, neverReached, seedAccount } from './seed.ts'
import { completionsPath, type Target } from './target.ts'

/** Targets in one process: accounts without limits, with limits, and with limits and a budget on the token too. */
type SallyportTargets = readonly Target[]

export interface SallyportStores {
  redisQueueUrl: string
  startProcess(start: number): Promise<SallyportTargets>
  /** Two processes on one port. */
  startTwo(start: number): Promise<SallyportTargets>
  /** The same stores with a proxy of another checkout. */
  startAnother(otherRoot: string, start: number): Promise<SallyportTargets>
}

/** The proxy role as `npm start` runs it, on real stores and with every feature, but without a worker. */
export async function openSallyport(context: BenchContext, upstream: string): Promise<SallyportStores> {
  const { supervisor, progress, workDir, pidOf, pin, options } = context
  const dataDir = join(workDir, 'data')
  const masterKey = randomBytes(32)
  const secrets = {
    masterKeys: `1:${masterKey.toString('base64')}`,
    sessionSecret: password(),
    postgresPassword: password(),
    redisPassword: password(),
    demoPassword: password(),
  }
  const urls = await startStores(supervisor, progress, { dataDir, given: {} }, secrets)
  const sql = openPostgres(urls, 'bench')
  const logger = pino({ level: 'silent' })
  await migratePostgres(sql, logger)
  // A newer checkout needs its own migrations, with which an older one works, too.
  if (options.against) {
    const postgres = pathToFileURL(`${resolve(options.against)}/schemas/postgres/`)
    await migratePostgres(sql, logger, { ...migrationFolders, postgres })
  }
  const vault = createVault(new Map([[1, masterKey]]))
  const seed = (account: BenchAccount) => seedAccount(sql, vault, upstream, account)
  const free = await seed({ name: 'free', plan: 'enterprise', isLimited: false, hasBudget: false })
  const limited = await seed({ name: 'limited', plan: 'basic', isLimited: true, hasBudget: false })
  const budgeted = await seed({ name: 'budgeted', plan: 'basic', isLimited: true, hasBudget: true })
  await sql.end()

  const startFrom = async (from: string, name: string, processes = 1) => {
    const port = await findFreePort()
    const settings: Settings = {
      host: '127.0.0.1',
      port,
      dataDir,
      logLevel: 'warn',
      registration: 'open',
      given: {},
      env: process.env,
    }
    const { proxy } = describeServices({
      root: from,
      settings,
      environment: servicesEnvironment(settings, urls, secrets),
      apiPort: await findFreePort(),
      watch: false,
      onLine: (_role, line) => progress.print(line),
    })
    const args = from === root ? [...profileFlags(context, 'sallyport'), ...proxy.args] : proxy.args
    const env = { ...proxy.env, ...limits, PROXY_PROCESSES: String(processes) }
    const daemon = { ...proxy, name, args, env }
    await supervisor.start(pin && processes === 1 ? pin(daemon) : daemon, stage.services)
    const url = `http://127.0.0.1:${port}${product.proxyPath}${completionsPath}`
    return { url, pid: pidOf(name) }
  }
  return {
    redisQueueUrl: urls.redisQueueUrl,
    async startProcess(start) {
      const process = { ...(await startFrom(root, `sallyport ${start}`)), start }
      return [
        { name: 'unlimited', label: 'Sallyport, an account without limits', ...process, ...withToken(free) },
        { name: 'sallyport', label: 'Sallyport, limits of plan and minute', ...process, ...withToken(limited) },
        {
          name: 'budgeted',
          label: 'the same, a token with a budget and two limits',
          ...process,
          ...withToken(budgeted),
        },
      ]
    },
    async startTwo(start) {
      const process = { ...(await startFrom(root, `two ${start}`, 2)), start }
      return [{ name: 'two', label: 'Sallyport, limits, two processes', ...process, ...withToken(limited) }]
    },
    async startAnother(otherRoot, start) {
      const process = { ...(await startFrom(otherRoot, `against ${start}`)), start }
      return [
        { name: 'unlimited-against', label: `${otherRoot}, without limits`, ...process, ...withToken(free) },
        { name: 'against', label: `${otherRoot}, limits`, ...process, ...withToken(limited) },
      ]
    },
  }
}

const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

const limits = {
  PLAN_LIMITS: JSON.stringify({ basic: { requestsPerMonth: neverReached } }),
  // One account generates all load.
  ACCOUNT_LIMITS: JSON.stringify({ requests: 10_000 }),
}

const password = () => randomBytes(24).toString('base64url')
