import { root } from '#tools/root.ts'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import getPort from 'get-port'
import { pino } from 'pino'
import { openPostgres } from '#core/resources.ts'
import { createVault } from '#shared/vault.ts'
import { servicesEnvironment } from '#tools/launcher/environment.ts'
import { describeServices } from '#tools/launcher/services.ts'
import type { Settings } from '#tools/launcher/settings.ts'
import { startStores } from '#tools/launcher/stores/stores.ts'
import { stage } from '#tools/process/supervisor.ts'
import { product } from '#schemas/product.ts'
import { migratePostgres } from '#store/migrations.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { seedAccount } from './seed.ts'
import { completionsPath, type Target, type TargetName } from './target.ts'

export interface SallyportTarget extends Target {
  name: 'sallyport'
  redisQueueUrl: string
  /** Two proxies on one port and the same stores. */
  startTwo(): Promise<Target>
  /** One more proxy on the same stores, from another checkout. */
  startAnother(otherRoot: string): Promise<Target>
}

/** The proxy role as `npm start` runs it, on real stores and with every feature, but without a worker. */
export async function startSallyport(context: BenchContext, upstream: string): Promise<SallyportTarget> {
  const { supervisor, progress, workDir, pidOf } = context
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
  await migratePostgres(sql, pino({ level: 'silent' }))
  const token = await seedAccount(sql, createVault(new Map([[1, masterKey]])), upstream)
  await sql.end()

  const start = async <Name extends TargetName>(name: Name, label: string, from: string, processes = 1) => {
    const port = await getPort({ host: '127.0.0.1' })
    const settings: Settings = { host: '127.0.0.1', port, dataDir, logLevel: 'warn', registration: 'open', given: {} }
    const { proxy } = describeServices({
      root: from,
      settings,
      environment: servicesEnvironment(settings, urls, secrets),
      apiPort: await getPort({ host: '127.0.0.1' }),
      watch: false,
      onLine: (_role, line) => progress.print(line),
    })
    const args = name === 'sallyport' ? [...nodeOptions(), ...proxy.args] : proxy.args
    const env = { ...proxy.env, PROXY_PROCESSES: String(processes), ACCOUNT_LIMITS: JSON.stringify(oneBusyAccount) }
    await supervisor.start({ ...proxy, name, args, env }, stage.services)
    const url = `http://127.0.0.1:${port}${product.proxyPath}${completionsPath}`
    return { name, label, url, headers: { authorization: `Bearer ${token}` }, pid: pidOf(name) }
  }
  return {
    ...(await start('sallyport', 'Sallyport, everything on', root)),
    redisQueueUrl: urls.redisQueueUrl,
    startTwo: () => start('two', 'Sallyport, two processes', root, 2),
    startAnother: (otherRoot) => start('against', `Sallyport of ${otherRoot}`, otherRoot),
  }
}

/** All load comes from one account. */
const oneBusyAccount = { requests: 10_000 }

const password = () => randomBytes(24).toString('base64url')

/** `BENCH_NODE_OPTIONS="--cpu-prof …"` profiles only the proxy of this checkout. */
const nodeOptions = () => process.env['BENCH_NODE_OPTIONS']?.split(' ').filter(Boolean) ?? []
