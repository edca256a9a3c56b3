import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort } from './free-port.ts'
import { listenLocally } from './listen.ts'

test('a port is given once, and never one that is excluded or taken', async () => {
  const server = createServer()
  const taken = await listenLocally(server)
  const given = await findFreePort()
  const excluded = 20_000
  const picks = [taken, given, excluded]
  const port = await findFreePort({ exclude: [excluded], pick: () => picks.shift() ?? randomInt(20_001, 22_768) })
  expect(picks).toEqual([])
  expect([taken, given, excluded]).not.toContain(port)
  server.close()
})

test('it fails when no port is free', async () => {
  const port = await findFreePort()
  await expect(findFreePort({ pick: () => port })).rejects.toThrow('None of 100 ports')
})
