import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { childrenOf } from '#tools/load/process-stats.ts'
import { childPid } from '#tools/launcher/start.fixture.ts'
import { makeOperator, servicesEnvironmentOf } from '#tools/stack/operator.ts'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import { Stats } from '#schemas/analytics.ts'
import { Pipeline } from '#schemas/pipeline.ts'
import { type TestAccount, openAccount } from '#tools/stack/account.ts'
import { countRequests } from './compare-with-ledger.ts'
import type { OwnStackCase } from './fault-case.ts'
import { type LedgerEntry, Load } from '#tools/load/load.ts'
import { within } from '#tools/process/within.ts'
import { required } from '#tools/process/required.ts'

/** `npm start` with two proxies and its own stores. */
export const launcherCases: OwnStackCase[] = [
  onNpmStart(23, 'npm start: kill -9 of each part, and of all of them at once', killParts),
  onNpmStart(24, 'npm start: kill -9 of one of two proxies', killMember),
]

/** Requests per second. */
const rate = 150
const backWithinMs = 15_000
const parts = ['api,worker', 'Redis (state)', 'Redis (queue)', 'Postgres']

interface Started {
  npmStart: StackProcess
  account: TestAccount
  token: string
}

/** @param run causes the fault under load; returns the clients' ledger and problems that it does not show */
function onNpmStart(
  row: number,
  name: string,
  run: (started: Started) => Promise<{ ledger: readonly LedgerEntry[]; problems: string[] }>,
): OwnStackCase {
  return {
    row,
    name,
    async runAlone({ environment: { PROVIDER_BASE_URL, PLAN_LIMITS } }) {
      const npmStart = await startStack({ env: { PROVIDER_BASE_URL, PLAN_LIMITS, PROXY_PROCESSES: '2' } })
      try {
        const account = await openAccount(npmStart.url, { username: 'operator' })
        await makeOperator('operator', await servicesEnvironmentOf(npmStart))
        const { ledger, problems } = await run({ npmStart, account, ...(await account.newToken('load')) })
        const comparison = await compare(account, ledger)
        const { lost, duplicated, rollupDifference, accountDifference } = comparison
        const differences = { lost, duplicated, rollupDifference, accountDifference }
        const wrong = Object.entries(differences).filter(([, count]) => count !== 0)
        return {
          row,
          name,
          ...comparison,
          problems: [...problems, ...wrong.map(([what, count]) => `${what}: ${count}`)],
        }
      } finally {
        await npmStart.stop()
      }
    },
  }
}

/** Kills each part in turn, then all of them at once. No request with a known token may fail. */
async function killParts({ npmStart, account, token }: Started) {
  const load = new Load({ url: npmStart.url, token, rate, name: 'row23' })
  await sleep(2_000)
  const problems: string[] = []
  for (const killed of [...parts.map((part) => [part]), parts]) {
    const before = npmStart.output().length
    const startedAt = performance.now()
    await Promise.all(killed.map((part) => kill(npmStart, part)))
    const isBack = () => killed.every((part) => npmStart.output().slice(before).includes(`${part} is running again.`))
    const serves = async () => isBack() && (await fetch(`${npmStart.url}/readyz`)).ok && (await readsLogs(account))
    if (!(await within(backWithinMs, serves))) problems.push(`${killed.join(', ')}: not back after 15 s`)
    console.log(`  ${killed.join(', ')}: back after ${Math.round(performance.now() - startedAt)} ms`)
    await sleep(1_500)
  }
  const ledger = await load.stop()
  const failed = ledger.filter(({ status }) => status !== 200)
  if (failed.length > 0) problems.push(`${failed.length} requests failed, first ${JSON.stringify(failed[0])}`)
  return { ledger, problems }
}

/** Only requests of the killed process may fail; new connections must be served. */
async function killMember({ npmStart, account, token }: Started) {
  const members = await childrenOf(await childPid(npmStart, 'proxy'))
  const load = new Load({ url: npmStart.url, token, rate, name: 'row24' })
  const another = await account.newToken('new connections')
  const newcomers = new Load({
    url: npmStart.url,
    token: another.token,
    rate: 20,
    name: 'row24-new',
    newConnections: true,
    streamEvery: Infinity,
  })
  await sleep(3_000)
  const killedAt = Date.now()
  process.kill(required(members[0], 'proxy process'), 'SIGKILL')
  // Until then, this client may not have noticed the kill and still use the old connections.
  const noticedAt = killedAt + 250
  await sleep(10_000)
  const ledger = [...(await load.stop()), ...(await newcomers.stop())]
  const failed = ledger.filter(({ status, completed }) => status !== 200 || !completed)
  const later = failed.filter(({ at }) => at > noticedAt)
  const underWay = ledger.filter(({ at, ms }) => at <= noticedAt && at + ms >= killedAt).length
  console.log(`  ${failed.length} of ${underWay} requests in progress failed`)
  const replaced = await childrenOf(await childPid(npmStart, 'proxy'))
  const problems = [
    ...(members.length === 2 ? [] : [`${members.length} proxies instead of 2`]),
    ...(later.length > 0 ? [`${later.length} requests failed later, first ${JSON.stringify(later[0])}`] : []),
    ...(failed.length >= underWay ? ['requests of the other one failed too'] : []),
    ...(replaced.length === 2 ? [] : ['the dead one was not replaced']),
  ]
  return { ledger, problems }
}

const kill = async (npmStart: StackProcess, part: string) => process.kill(await childPid(npmStart, part), 'SIGKILL')

/** Whether logs can be read, which involves the control plane and all stores. */
const readsLogs = (account: TestAccount) =>
  account.get('/api/logs').then(
    () => true,
    () => false,
  )

const Exported = z.object({ id: z.string() })

/** Waits until the pipeline is idle, and compares the account's logs with the clients' ledger. */
async function compare(account: TestAccount, ledger: readonly LedgerEntry[]) {
  const startedAt = performance.now()
  const pipeline = async () => Pipeline.parse(await account.get('/api/pipeline'))
  await within(60_000, async () => {
    const { queued, spooled, difference } = await pipeline()
    return queued === 0 && spooled === 0 && difference === 0
  })
  const catchUpMs = performance.now() - startedAt
  const lines = String(await account.get('/api/logs/export?format=jsonl'))
    .split('\n')
    .filter(Boolean)
  const ids = new Set(lines.map((line) => Exported.parse(JSON.parse(line)).id))
  const { totalRequests } = Stats.parse(await account.get('/api/stats'))
  const { completed, counts } = countRequests(ledger)
  return {
    ...counts,
    stored: lines.length,
    lost: completed.filter(({ id }) => !id || !ids.has(id)).length,
    duplicated: lines.length - ids.size,
    rollupDifference: totalRequests - lines.length,
    accountDifference: (await pipeline()).difference,
    catchUpMs,
  }
}
