import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { findFreePort } from '#tools/process/free-port.ts'
import { execa } from 'execa'
import { Agent, request } from 'undici'
import { afterAll, expect, test } from 'vitest'
import { findCommand } from '#tools/process/find-command.ts'
import { createNodeProcess, isReady } from '#tools/stack/controlled-process.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { product } from '#schemas/product.ts'
import { atOnce, type Gateway, openTestBench } from './proxy/test/gateway.fixture.ts'
import { chunk, okHead } from './proxy/test/raw-upstream.fixture.ts'
import { pidsOfMembers } from './group-members.fixture.ts'

const bench = await openTestBench()
const account = await bench.createTestAccount({ plan: 'enterprise', config: { rateLimitEnabled: false } })
afterAll(() => bench.stop())

const dataDir = temporaryFolder(afterAll)
const port = await findFreePort()
const metricsPort = await findFreePort()
const origin = `http://127.0.0.1:${port}`
const gateway: Pick<Gateway, 'origin' | 'port' | 'baseURL'> = {
  origin,
  port,
  baseURL: `${origin}${product.proxyPath}/v1`,
}
/** Serves all tests in turn: the first one counts what it has served, and the last one stops it. */
const group = createNodeProcess('proxies', 'services/main.ts', {
  env: {
    ...bench.environment,
    DATA_DIR: dataDir,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    PROXY_PROCESSES: '2',
    DRAIN_SECONDS: '30',
    LOG_LEVEL: 'warn',
  },
  ready: async () => (await isReady(port)) && (await servingMembers()).length === 2,
})
afterAll(() => group.stop())
await group.start()

async function readMetrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
}

async function metric(name: string): Promise<Record<string, number>> {
  const lines = (await readMetrics()).split('\n').filter((line) => line.startsWith(name))
  const entries = lines.map(
    (line) => [/process="(\w+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))] as const,
  )
  return Object.fromEntries(entries)
}

async function servingMembers(): Promise<string[]> {
  return Object.keys(await metric('sallyport_proxy_in_flight').catch(() => ({})))
}

/** Sends a request on a connection of its own. @returns its status */
async function sendRequest(): Promise<number> {
  const { statusCode, body } = await request(`${gateway.baseURL}/models`, { headers: account.headers, reset: true })
  await body.dump()
  return statusCode
}

const sendMany = (count: number) => Promise.allSettled(Array.from({ length: count }, sendRequest))

const completedRequests = () => metric('sallyport_proxy_requests_total{outcome="completed",status_class="2xx"')

test('connections are spread evenly; metrics and readiness cover all processes', async () => {
  const agents = Array.from({ length: 64 }, () => new Agent({ connections: 1 }))
  const url = `${gateway.baseURL}/models`
  for (let round = 0; round < 3; round += 1) {
    const responses = await Promise.all(
      agents.map((dispatcher) => request(url, { dispatcher, headers: account.headers })),
    )
    await Promise.all(responses.map(({ body }) => body.dump()))
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  }
  const [one = 0, other = 0] = Object.values(await completedRequests())
  expect(one + other).toBe(192)
  expect(Math.abs(one - other) / 96).toBeLessThanOrEqual(0.2)
  expect(Object.keys(await metric('process_cpu_seconds_total')).toSorted()).toEqual(['1', '2', 'primary'])
  const ready = await fetch(`${gateway.origin}/readyz`)
  expect(await ready.json()).toEqual({
    status: 'ok',
    needs: { postgres: 'ok', 'redis-state': 'ok', 'redis-queue': 'ok', spool: 'ok' },
  })
  await Promise.all(agents.map((agent) => agent.destroy()))
})

test('SIGUSR2 turns the details of the log on in every process, and off again', async () => {
  for (const level of ['debug', 'warn']) {
    group.signal('SIGUSR2')
    await expect.poll(() => group.output().split(`"logLevel":"${level}"`).length - 1).toBe(3)
  }
})

test('a process that hangs delays only the connections that were passed to it before that is noticed', async () => {
  const [pid] = await pidsOfMembers(dataDir)
  process.kill(pid!, 'SIGSTOP')
  let completed = 0
  const responses = Array.from({ length: 120 }, async () => {
    const status = await sendRequest()
    completed += 1
    return status
  })
  await expect.poll(() => completed).toBeGreaterThanOrEqual(120 - 32)
  process.kill(pid!, 'SIGCONT')
  expect(new Set(await Promise.all(responses))).toEqual(new Set([200]))
})

test.each([
  // At most one per client: requests that were in flight in the killed process.
  ['row 24: when a process is killed, only its own requests fail, and it is replaced', 'SIGKILL', 4],
  ['a process that is told to stop gets no more connections, and is replaced', 'SIGTERM', 0],
] as const)('%s', async (_name, signal, maxFailed) => {
  const [pid] = await pidsOfMembers(dataDir)
  const statuses: (number | 'failed')[] = []
  const stopping = new AbortController()
  const sendRequests = async () => {
    while (!stopping.signal.aborted) {
      statuses.push(await sendRequest().catch(() => 'failed' as const))
    }
  }
  const clients = Array.from({ length: 4 }, sendRequests)
  await expect.poll(() => statuses.length).toBeGreaterThan(50)
  process.kill(pid!, signal)
  await expect.poll(() => pidsOfMembers(dataDir)).not.toContain(pid)
  await expect.poll(async () => (await servingMembers()).length, { timeout: 20_000 }).toBe(2)
  const before = statuses.length
  await expect.poll(() => statuses.length).toBeGreaterThan(before + 50)
  stopping.abort()
  await Promise.all(clients)
  expect(statuses.filter((status) => status === 'failed').length).toBeLessThanOrEqual(maxFailed)
  expect(statuses.filter((status) => status !== 200 && status !== 'failed')).toEqual([])
})

/** Lets a process open no more files. @returns a function that undoes it */
async function limitFiles(pid: string | number): Promise<() => Promise<unknown>> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8')
  const limitTo = (soft: string) => execa('prlimit', ['--pid', String(pid), `--nofile=${soft}:`])
  await limitTo('1')
  return () => limitTo(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? '')
}

test.skipIf(!findCommand(['prlimit']))('a process that cannot be replaced for now is replaced later', async () => {
  const [pid] = await pidsOfMembers(dataDir)
  const parent = /^PPid:\t(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  const undo = await limitFiles(parent)
  process.kill(pid!, 'SIGKILL')
  await expect.poll(() => group.output()).toContain('EMFILE')
  await undo()
  await expect.poll(async () => (await servingMembers()).length, { timeout: 20_000 }).toBe(2)
})

test.skipIf(!findCommand(['prlimit']))('a process that may open no files leaves connections to others', async () => {
  const [pid] = await pidsOfMembers(dataDir)
  const undo = await limitFiles(pid!)
  for (const each of await sendMany(120)) expect(each).toEqual({ status: 'fulfilled', value: 200 })
  await undo()
  const before = await completedRequests()
  await expect
    .poll(async () => {
      await sendMany(20)
      const after = await completedRequests()
      return Object.keys(after).filter((process) => after[process]! > (before[process] ?? 0)).length
    })
    .toBe(2)
})

test('row 30: a stop lets streams complete, and serves metrics until then', async () => {
  const sockets: Socket[] = []
  const { account: slow } = await bench.createAccountWithUpstream((socket) => {
    socket.write(okHead('content-type: text/event-stream', 'transfer-encoding: chunked'))
    socket.write(chunk('data: {"choices":[]}\n\n'))
    sockets.push(socket)
  })
  const streams = await atOnce(20, () => slow.chat(gateway, { stream: true }))
  const texts = Promise.all(streams.map((stream) => stream.text()))
  // Like systemd, which signals every process of a unit, as the primary does.
  for (const pid of await pidsOfMembers(dataDir)) process.kill(pid, 'SIGTERM')
  const stopped = group.stop()
  await expect.poll(() => isReady(port)).toBe(false)
  expect(await readMetrics()).toContain('sallyport_proxy_in_flight')
  for (const socket of sockets) socket.write(Buffer.concat([chunk('data: [DONE]\n\n'), chunk('')]))
  for (const text of await texts) expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  await stopped
  const events = await bench.events.ofAccount(slow.accountId, 20)
  expect(events.filter(({ outcome }) => outcome === 'interrupted' || outcome === 'client_aborted')).toEqual([])
})
