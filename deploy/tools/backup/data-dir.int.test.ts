import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { RevealedSecureToken, SecureToken } from '#schemas/secure-tokens.ts'
import { type DemoSession, signIn } from '#tools/launcher/demo/demo-session.ts'
import { startProvider } from '#tools/sample-provider/test-provider.ts'
import { startStack } from '#tools/stack/launched-stack.ts'
import { backUpDataDir, restoreDataDir } from './data-dir.ts'

let folder: string
beforeEach(async ({ onTestFinished: atEnd }) => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-backup-'))
  // The last to run: `afterEach` would remove the files of a stack that is still running.
  atEnd(() => rm(folder, { recursive: true, force: true }))
})

const login = { username: 'keeper', password: 'a long password of mine' }
const unlimited = JSON.stringify({ free: { requestsPerDay: null, tokens: 1 } })

const send = (url: string, token: string) =>
  fetch(`${url}/api/proxy/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }),
  })

/** Sends requests until it is stopped. @returns the ids of those that succeeded */
async function sendUntil(url: string, token: string, until: AbortSignal): Promise<string[]> {
  const succeeded: string[] = []
  while (!until.aborted) {
    const response = await send(url, token).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response?.status === 200 && text) succeeded.push(response.headers.get('x-request-id')!)
    await sleep(20)
  }
  return succeeded
}

test('a machine that is lost under load comes back with its accounts, keys and every successful request', async () => {
  const { origin } = await startProvider()
  const dataDir = join(folder, 'data')
  const backup = join(folder, 'backup')
  const env = { PLAN_LIMITS: unlimited, PROVIDER_BASE_URL: origin }
  const first = await startStack({ dataDir, env })
  onTestFinished(() => first.stop())
  const session = await signIn(first.url, login)
  await session.call('POST', '/api/keys', { name: 'Provider', key: 'sk-provider-of-this-test' })
  const { id } = SecureToken.parse(await session.call('POST', '/api/tokens', { name: 'Load' }))
  const token = await reveal(session)

  const end = new AbortController()
  const load = Array.from({ length: 4 }, () => sendUntil(first.url, token, end.signal))
  await sleep(3_000)
  await expect(backUpDataDir(dataDir, backup)).rejects.toThrow('already running')
  // The clients keep sending during the stop.
  await first.stop()
  end.abort()
  const succeeded = new Set((await Promise.all(load)).flat())
  expect(succeeded.size).toBeGreaterThan(30)
  await backUpDataDir(dataDir, backup)
  await rm(dataDir, { recursive: true })

  await restoreDataDir(backup, dataDir)
  await expect(restoreDataDir(backup, dataDir)).rejects.toThrow('There is data in')
  expect(await readdir(folder)).toEqual(['backup', 'data'])
  const second = await startStack({ dataDir, env })
  onTestFinished(() => second.stop())
  const restored = await signIn(second.url, login)
  expect(await reveal(restored)).toBe(token)
  const missing = async () => {
    const logs = await fetchLogs(second.url)
    return [...succeeded].filter((requestId) => !logs.includes(requestId))
  }
  await expect.poll(missing, { timeout: 20_000, interval: 500 }).toEqual([])
  // The rate limit window was restored too, and the load may have used it up.
  expect([200, 429]).toContain((await send(second.url, token)).status)

  async function reveal({ call }: DemoSession): Promise<string> {
    return RevealedSecureToken.parse(await call('GET', `/api/tokens/${id}/reveal`)).token
  }

  async function fetchLogs(url: string): Promise<string> {
    const { headers } = await fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify(login),
    })
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!
    return (await fetch(`${url}/api/logs/export?format=jsonl`, { headers: { cookie } })).text()
  }
}, 180_000)

test('a folder that is not a backup is rejected', async () => {
  await expect(restoreDataDir(folder, join(folder, 'data'))).rejects.toThrow('is not a backup')
  await expect(backUpDataDir(folder, join(folder, 'backup'))).rejects.toThrow('There is no data')
})

test('a restore fills an empty folder without replacing it, since it may be a mount point, and can be repeated', async () => {
  const [backup, dataDir] = [join(folder, 'backup'), join(folder, 'data')]
  await mkdir(backup)
  for (const name of ['secrets.json', 'version']) await writeFile(join(backup, name), name)
  await mkdir(join(dataDir, 'restoring'), { recursive: true })
  const { ino } = await stat(dataDir)
  await restoreDataDir(backup, dataDir)
  expect((await stat(dataDir)).ino).toBe(ino)
  const again = join(folder, 'backups', 'monday')
  await backUpDataDir(dataDir, again)
  for (const copy of [dataDir, again]) expect(await readdir(copy)).toEqual(['secrets.json', 'version'])
})
