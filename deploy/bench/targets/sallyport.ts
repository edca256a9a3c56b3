import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import getPort from 'get-port'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { openPostgres, type Sql } from '#core/resources.ts'
import { hashToken, mintToken } from '#core/secure-token.ts'
import { createPlanLimits } from '#core/plan-limits.ts'
import { createVault } from '#core/vault.ts'
import { describeServices } from '#deploy/embedded/services.ts'
import { startStores } from '#deploy/embedded/stores.ts'
import { stage } from '#deploy/embedded/supervisor.ts'
import { product } from '#schemas/product.ts'
import { createAccountStore } from '#store/accounts.ts'
import { apiKeyContext, createApiKeyStore } from '#store/api-keys.ts'
import { migratePostgres } from '#store/migrations.ts'
import { createSecureTokenStore, secureTokenContext } from '#store/secure-tokens.ts'
import type { BenchContext } from '../part.ts'
import { completionsPath, type Target, type TargetName } from './target.ts'

const root = join(import.meta.dirname, '../../..')

/** High enough to be never reached, and yet counted in Redis for every request. */
const neverReached = 2_000_000_000

export interface SallyportTarget extends Target {
  name: 'sallyport'
  redisQueueUrl: string
  /** One more proxy on the same stores, from another checkout. */
  startAnother(otherRoot: string): Promise<Target>
}

/** The proxy role as `npm start` runs it, on real stores, everything on; nobody empties its queue. */
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
  const token = await seed(sql, createVault(new Map([[1, masterKey]])), upstream)
  await sql.end()

  const start = async <Name extends TargetName>(name: Name, label: string, from: string) => {
    const port = await getPort({ host: '127.0.0.1' })
    const { proxy } = describeServices({
      root: from,
      settings: { host: '127.0.0.1', port, dataDir, logLevel: 'warn', given: {} },
      urls,
      secrets,
      apiPort: await getPort({ host: '127.0.0.1' }),
      watch: false,
      onLine: (_role, line) => progress.print(line),
    })
    await supervisor.start({ ...withNodeOptions(proxy), name }, stage.services)
    const url = `http://127.0.0.1:${port}${product.proxyPath}${completionsPath}`
    return { name, label, url, headers: { authorization: `Bearer ${token}` }, pid: pidOf(name) }
  }
  return {
    ...(await start('sallyport', 'Sallyport, everything on', root)),
    redisQueueUrl: urls.redisQueueUrl,
    startAnother: (otherRoot) => start('against', `Sallyport of ${otherRoot}`, otherRoot),
  }
}

/** Who acts, for the audit. */
const bench = { clientAddress: null, userAgent: null }

const password = () => randomBytes(24).toString('base64url')

/** One account whose limit applies to every request and is never reached. @returns its token */
async function seed(sql: Sql, vault: ReturnType<typeof createVault>, upstream: string): Promise<string> {
  const { id: accountId } = await createAccountStore(sql).register(
    {
      username: 'bench',
      email: 'bench@example.com',
      passwordHash: '-',
      firstName: null,
      lastName: null,
      baseUrl: `${upstream}/v1`,
    },
    { ...bench, idHash: randomBytes(32), device: 'bench', network: 'bench' },
  )
  await sql`update accounts set plan = 'pro' where id = ${accountId}`
  await sql`alter table proxy_configs drop constraint proxy_configs_max_requests_per_minute_check`
  await sql`update proxy_configs set max_requests_per_minute = ${neverReached} where account_id = ${accountId}`
  const [keyId, tokenId, token] = [uuidv7(), uuidv7(), mintToken()]
  const origin = new URL(upstream).origin
  const sealedKey = vault.seal('sk-bench', apiKeyContext(accountId, keyId, origin))
  const key = { id: keyId, name: 'bench', origin, sealedKey, maskedKey: 'sk-…', isPrimary: true }
  await createApiKeyStore(sql).create(accountId, key, bench)
  const unbound = { models: null, monthlyBudgetNanoUsd: null, allowedAddresses: null, expiresAt: null }
  await createSecureTokenStore(sql, createPlanLimits({})).create(
    accountId,
    {
      ...unbound,
      id: tokenId,
      name: 'bench',
      tokenHash: hashToken(token),
      sealedToken: vault.seal(token, secureTokenContext(accountId, tokenId)),
      maskedToken: 'st_…',
    },
    bench,
  )
  return token
}

/** `BENCH_NODE_OPTIONS="--cpu-prof …"` profiles the proxy, and only the proxy. */
function withNodeOptions<T extends { args: string[] }>(daemon: T): T {
  const options = process.env['BENCH_NODE_OPTIONS']?.split(' ').filter(Boolean) ?? []
  return { ...daemon, args: [...options, ...daemon.args] }
}
