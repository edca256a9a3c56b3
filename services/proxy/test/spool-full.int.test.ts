import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from '#tools/stack/tcp-proxy.ts'
import { kib, mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'

let bench: TestBench
let wire: TcpProxy
let gateway: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  const url = new URL(bench.urls.redisQueue)
  wire = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.hostname = '127.0.0.1'
  url.port = String(wire.port)
  gateway = await bench.startGateway({ env: { REDIS_QUEUE_URL: url.href, SPOOL_MAX_BYTES: String(mib) } })
})
afterAll(async () => {
  await bench.stop()
  await wire.close()
})

test('when nothing more can be noted, requests are turned away until the queue is back; nothing is lost', async () => {
  const account = await bench.createTestAccount({ keys: ['sk-spool'], config: { logBodies: true } })
  wire.set('freeze')
  const ids: string[] = []
  let refused: Response | undefined
  for (let time = 0; time < 20 && !refused; time += 1) {
    const answer = await account.chat(gateway, { padding: 'x'.repeat(200 * kib) })
    if (answer.status === 200) ids.push(answer.headers.get('x-request-id')!)
    else refused = answer
  }
  expect(ids.length).toBeGreaterThan(0)
  expect([refused?.status, await refused?.json()]).toMatchObject([503, { error: { code: 'unavailable' } }])
  expect(bench.provider.received.filter(({ key }) => key === 'sk-spool')).toHaveLength(ids.length)
  expect(await gateway.metric('sallyport_proxy_in_flight')).toBe(0)

  wire.set('pass')
  await expect.poll(async () => (await account.chat(gateway)).status, { timeout: 20_000, interval: 200 }).toBe(200)
  for (const id of ids) expect((await bench.events.of(id)).status).toBe(200)
})

test('what the disk refuses to note never reaches the provider', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-unwritable-'))
  const unwritable = await bench.startGateway({ env: { DATA_DIR: dataDir } })
  const spools = join(dataDir, 'spool')
  const [folder] = await readdir(spools)
  await rm(join(spools, folder!), { recursive: true })

  const account = await bench.createTestAccount({ keys: ['sk-unwritable'] })
  const answers = await Promise.all(Array.from({ length: 10 }, () => account.chat(unwritable)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(await answers[0]!.json()).toMatchObject({ error: { code: 'unavailable' } })
  expect(bench.provider.received.filter(({ key }) => key === 'sk-unwritable')).toEqual([])
  expect(await unwritable.metric('sallyport_proxy_in_flight')).toBe(0)

  await mkdir(join(spools, folder!))
  expect((await account.chat(unwritable)).status).toBe(200)
  await unwritable.stop()
  await rm(dataDir, { recursive: true, force: true })
})
