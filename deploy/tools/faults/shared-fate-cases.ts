import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { findFreePort } from '#tools/process/free-port.ts'
import { request } from 'undici'
import { z } from 'zod'
import { percentile } from '#tools/load/percentile.ts'
import { startNameServer } from '#tools/stack/name-server.ts'
import type { FaultCase } from './fault-case.ts'
import { type LedgerEntry, Load } from '#tools/load/load.ts'
import { isReady } from '#tools/stack/controlled-process.ts'
import type { ServiceStack } from '#tools/stack/service-stack.ts'

/** Faults of one account or one process that must not affect others. */
export const sharedFateCases: FaultCase[] = [
  { row: 28, name: 'a provider that never responds', run: askSilentProvider },
  { row: 29, name: 'DNS away', run: takeNamesAway },
  { row: 30, name: 'stop with 500 open streams', run: stopWithStreams },
  {
    row: 31,
    name: 'messages of an unknown version',
    isShort: true,
    async run(stack) {
      const { command } = stack.stateRedis
      const channels = z.array(z.string()).parse(await command('PUBSUB', 'CHANNELS', 'sallyport:*'))
      for (const channel of channels) {
        for (const message of ['{"version":99}', '{}', 'null', '[1]', '', '\0', '{"version":1,"kind":"unheard of"}'])
          await command('PUBLISH', channel, message)
      }
      await sleep(1_000)
      return channels.length > 0 ? [] : ['no subscriptions']
    },
  },
]

const rounds = 6
const roundMs = 10_000
const recoverMs = 6_000
const greedyLoad = join(import.meta.dirname, 'greedy-load.ts')
const mostOver = 1.1

const p99 = (values: readonly number[]) => percentile(values, 0.99)

/**
 * Measures one account alone, beside an account whose provider never responds, and beside the same load sent directly
 * to an idle server. The last one shows how much of the slowdown is due to the shared machine.
 */
async function askSilentProvider(stack: ServiceStack): Promise<string[]> {
  const port = await findFreePort()
  const silentUrl = `http://127.0.0.1:${port}`
  const greedy = await stack.newAccount({ username: 'greedy', baseUrl: silentUrl })
  const greedyToken = (await greedy.newToken('silent')).token
  const { token } = await stack.newToken('row28 beside')
  const measure = async () => {
    const load = new Load({ url: stack.proxyUrl, token, rate: 200, name: 'row28-beside', streamEvery: Infinity })
    await sleep(roundMs)
    return (await load.stop()).map(({ ms }) => ms)
  }
  const measureBeside = async (url: string) => {
    const load = execa(execPath, [greedyLoad, String(port), url, greedyToken], { reject: false })
    // Until it has started and reached its maximum of open requests.
    await sleep(5_000)
    const measured = await measure()
    load.kill()
    await load
    // Thousands of aborted requests are still being logged, which would disturb the next measurement.
    await sleep(recoverMs)
    return measured
  }
  const measured: Record<'alone' | 'past' | 'through', number[]> = { alone: [], past: [], through: [] }
  // Warm-up: the first requests of a process run while its code is compiled.
  await measure()
  for (let round = 0; round < rounds; round += 1) {
    measured.alone.push(...(await measure()))
    measured.past.push(...(await measureBeside(silentUrl)))
    measured.through.push(...(await measureBeside(stack.proxyUrl)))
  }
  const [alone, past, through] = [p99(measured.alone), p99(measured.past), p99(measured.through)]
  const summary = `p99 alone ${alone.toFixed(1)} ms, load past the gateway ${past.toFixed(1)}, through it ${through.toFixed(1)}`
  console.log(`  ${summary}`)
  return through <= past * mostOver ? [] : [summary]
}

/** The name server goes down. One name is already resolved, another is not. */
async function takeNamesAway(stack: ServiceStack): Promise<string[]> {
  const names = await startNameServer({ 'provider.example.test': { v4: '127.0.0.1', ttl: 1 } })
  const { process, port } = await stack.service('proxy', { DNS_SERVERS: names.address })
  await process.start()
  const provider = new URL(String(stack.environment['PROVIDER_BASE_URL']))
  const baseUrl = `http://provider.example.test:${provider.port}`
  const known = await stack.newAccount({ username: 'known', baseUrl })
  const unknown = await stack.newAccount({ username: 'unknown', baseUrl: 'http://elsewhere.example.test' })
  const url = `http://127.0.0.1:${port}`
  const loads = {
    known: new Load({ url, token: (await known.newToken('known')).token, rate: 30, name: 'row29-known' }),
    unknown: new Load({ url, token: (await unknown.newToken('unknown')).token, rate: 30, name: 'row29-unknown' }),
    byAddress: new Load({ url, token: (await stack.newToken('row29')).token, rate: 30, name: 'row29-other' }),
  }
  await sleep(3_000)
  names.goAway()
  await sleep(20_000)
  const [ofKnown, ofUnknown, ofOthers] = await Promise.all([
    loads.known.stop(),
    loads.unknown.stop(),
    loads.byAddress.stop(),
  ])
  names.stop()
  await process.stop()
  const slowest = Math.max(...ofUnknown.map(({ ms }) => ms))
  return [
    ...(failed(ofKnown) > 0 ? [`${failed(ofKnown)} requests to a known name failed`] : []),
    ...(failed(ofOthers) > 0 ? [`${failed(ofOthers)} requests without a name failed`] : []),
    ...(slowest > 10_000 ? [`a new name failed after ${slowest} ms`] : []),
  ]
}

const failed = (entries: readonly LedgerEntry[]) => entries.filter(({ status }) => status !== 200).length

const streams = 500

/** Asks a separate proxy to stop during streams that take a minute. */
async function stopWithStreams(stack: ServiceStack): Promise<string[]> {
  const account = await stack.newAccount({ username: 'streams', key: 'sk-streams.chunks=60.chunk-delay-ms=1000' })
  const { token } = await account.newToken('streams')
  const metricsPort = await findFreePort()
  const { process, port } = await stack.service('proxy', { DRAIN_SECONDS: '70', METRICS_PORT: String(metricsPort) })
  await process.start()
  const open = Array.from({ length: streams }, async () => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/proxy/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'x' }] }),
    })
    return statusCode === 200 && (await body.text()).trimEnd().endsWith('data: [DONE]')
  })
  await sleep(5_000)
  let silences = 0
  const stopped = process.stop()
  await sleep(500)
  const wasReady = await isReady(port)
  const ended = Promise.allSettled(open).then((results) => ({ results }))
  for (let done: unknown; !done;) {
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined)
    if (!metrics?.ok) silences += 1
    done = await Promise.race([ended, sleep(1_000)])
  }
  const { results } = await ended
  await stopped
  const whole = results.filter((result) => result.status === 'fulfilled' && result.value).length
  return [
    ...(whole < streams ? [`${streams - whole} of ${streams} streams were cut short`] : []),
    ...(wasReady ? ['/readyz was ok during the stop'] : []),
    ...(silences > 1 ? [`/metrics did not respond ${silences} times`] : []),
  ]
}
