import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import getPort from 'get-port'
import { z } from 'zod'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { jobNameOf, packEvents, requestEventQueue } from '#shared/pipeline/queue.ts'
import { queueOptions } from '#core/redis/queue-shards.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import type { Progress } from '#tools/process/progress.js'
import { describeScript } from '#tools/process/script-daemon.ts'
import { stage, type Supervisor } from '#tools/process/supervisor.ts'
import { within } from '#tools/process/within.ts'
import { createHistory } from './demo-history.ts'
import { describeDemoPayments } from './demo-payments.ts'
import { type DemoAccount, seedAccount, signIn } from './demo-session.ts'
import { makeTraffic } from './demo-traffic.ts'
import { openFirstShard } from '#tools/launcher/stores/first-shard.ts'
import { checkPort } from '#tools/launcher/port-check.ts'
import type { Secrets } from '#tools/launcher/secrets.ts'
import type { StoreUrls } from '#tools/launcher/settings.ts'

const username = 'demo'
const host = '127.0.0.1'
const batchSize = 1_000
const maxAttempts = 100
const insertWithinMs = 20_000

/** Kept from one demo to the next, because keys are bound to the provider's address. */
const DemoState = z.object({ providerPort: z.number(), hasHistory: z.boolean() })
type DemoState = z.infer<typeof DemoState>

interface DemoOptions {
  supervisor: Supervisor
  progress: Progress
  urls: Pick<StoreUrls, 'postgresUrl' | 'redisQueueUrl'>
  /** Stops the traffic. */
  stopSignal: AbortSignal
}

interface Demo {
  /** Environment variables of the services. */
  environment: Record<string, string>
  /** Starts provider and payments, creates the account with its history, unless it exists, and begins to send requests. */
  start(options: DemoOptions): Promise<void>
  announcement: string
}

export async function prepareDemo(
  dataDir: string,
  { demoPassword: password }: Secrets,
  gatewayUrl: string,
): Promise<Demo> {
  const file = join(dataDir, 'demo.json')
  const state = (await readState(file)) ?? {
    providerPort: await getPort({ host, port: Number(process.env['PROVIDER_PORT'] || 4010) }),
    hasHistory: false,
  }
  const save = () => writeFile(file, JSON.stringify(state), { mode: 0o600 })
  await checkPort(
    { host, port: state.providerPort },
    () => `Port ${state.providerPort}, where the demo's provider was last time, is taken. Stop what uses it.`,
  )
  await save()
  const providerUrl = `http://${host}:${state.providerPort}`
  const provider = describeScript('Sample provider', ['deploy/tools/sample-provider/main.ts'], providerUrl, {
    PROVIDER_HOST: host,
    PROVIDER_PORT: String(state.providerPort),
  })
  const payments = await describeDemoPayments(gatewayUrl)

  async function populate(urls: DemoOptions['urls']): Promise<DemoAccount> {
    const session = await signIn(gatewayUrl, { username, password })
    const sql = openPostgres(urls, 'demo')
    const byOperator = { clientAddress: null, userAgent: null }
    await createPlanStore(sql, async () => undefined).set(session.accountId, 'enterprise', byOperator)
    await sql.end()
    const credentials = await seedAccount(session, providerUrl)
    if (!state.hasHistory) await sendHistory(urls, session.accountId, credentials)
    state.hasHistory = true
    await save()
    return credentials
  }

  return {
    environment: payments?.environment ?? {},
    announcement: `\n  Demo account: ${username}, password ${password}; its provider is ${providerUrl}${payments?.announcement ?? ''}`,
    async start({ supervisor, progress, urls, stopSignal }) {
      if (payments) await progress.step('Fake PayPal', () => supervisor.start(payments.daemon, stage.stores))
      await progress.step('Sample provider', () => supervisor.start(provider, stage.stores))
      const { tokens } = await progress.step('Demo data', () => populate(urls))
      const secrets = tokens.map(({ secret }) => secret)
      void makeTraffic(gatewayUrl, secrets, stopSignal)
    },
  }
}

async function readState(file: string): Promise<DemoState | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : DemoState.parse(JSON.parse(text))
}

/** Sends the history through the queue, like all events, because only the worker may write to chDB. */
async function sendHistory(
  urls: Pick<StoreUrls, 'redisQueueUrl'>,
  accountId: string,
  { apiKeyId, tokens }: DemoAccount,
): Promise<void> {
  const events = createHistory({ accountId, apiKeyId, tokenIds: [tokens[0].id, tokens[1].id] }, Date.now())
  const shard = openFirstShard(urls)
  const { redis } = shard
  const queue = new Queue(requestEventQueue, queueOptions(shard))
  for (let start = 0; start < events.length; start += batchSize) {
    const batch = events.slice(start, start + batchSize)
    const options = { jobId: `demo-${start}`, attempts: maxAttempts, removeOnComplete: true }
    await queue.add(jobNameOf(batch.length), await packEvents(batch), options)
  }
  // No proxy counted these as accepted, so the delivery counters would differ.
  await redis.hset(pipelineKeys(shard).accepted, 'demo', events.length)
  await within(insertWithinMs, async () => (await queue.getJobCountByTypes('waiting', 'active', 'delayed')) === 0, 50)
  await queue.close()
  redis.disconnect()
}
