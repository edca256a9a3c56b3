import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { warmUp } from './warm-up.ts'

let folder: string
let lines: string[]
const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-'))
  vi.stubEnv('TMPDIR', folder)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => void (lines = []))

test('its requests are answered, and nothing is left of them, in the log or on disk', async () => {
  expect(await warmUp(logger, { requests: 40, longestMs: 60_000 })).toBe(40)
  expect(lines).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

test('when its time is over it is left at that', async () => {
  expect(await warmUp(logger, { requests: 1_000_000, longestMs: 1 })).toBeLessThan(1_000_000)
  expect(lines).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

test('a machine that does not let it happen is no reason not to start', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'missing'))
  expect(await warmUp(logger, { longestMs: 60_000 })).toBe(0)
  expect(lines.join()).toContain('warm-up failed')
})
