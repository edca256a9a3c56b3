import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kib, mib } from '#core/units.ts'
import { atOnce, errorOf, useTestBench } from './gateway.fixture.ts'

const bench = await useTestBench()
const receivedWith = (secret: string) => bench.provider.received.filter(({ key }) => key === secret)

test('when the spool is full, requests are rejected until the queue is back; nothing is lost', async () => {
  const { wire, gateway } = await bench.startBreakableGateway('REDIS_QUEUE_URL', { SPOOL_MAX_BYTES: String(mib) })
  const account = await bench.createTestAccount({ keys: ['sk-spool'], config: { logBodies: true } })
  wire.set('freeze')
  const accepted: Response[] = []
  let rejected: Response | undefined
  for (let time = 0; time < 20 && !rejected; time += 1) {
    const response = await account.chat(gateway, { padding: 'x'.repeat(200 * kib) })
    if (response.status === 200) accepted.push(response)
    else rejected = response
  }
  expect(accepted.length).toBeGreaterThan(0)
  expect(await errorOf(rejected!)).toEqual([503, 'unavailable'])
  expect(rejected!.headers.get('retry-after')).toBe('1')
  expect(receivedWith('sk-spool')).toHaveLength(accepted.length)
  expect(await gateway.metric('sallyport_proxy_in_flight')).toBe(0)

  wire.set('pass')
  await expect.poll(async () => (await account.chat(gateway)).status, { timeout: 20_000, interval: 200 }).toBe(200)
  for (const response of accepted) expect((await bench.events.of(response)).status).toBe(200)
})

test('a request whose log can not be written never reaches the provider', async () => {
  const gateway = await bench.startGateway()
  const spools = join(gateway.dataDir, 'spool')
  const [folder] = await readdir(spools)
  await rm(join(spools, folder!), { recursive: true })

  const account = await bench.createTestAccount({ keys: ['sk-unwritable'] })
  for (const response of await atOnce(10, () => account.chat(gateway))) {
    expect(await errorOf(response)).toEqual([503, 'unavailable'])
  }
  expect(receivedWith('sk-unwritable')).toEqual([])
  expect(await gateway.metric('sallyport_proxy_in_flight')).toBe(0)

  await mkdir(join(spools, folder!))
  expect((await account.chat(gateway)).status).toBe(200)
})
