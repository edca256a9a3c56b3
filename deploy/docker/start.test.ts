import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { readConfig } from '#core/config.ts'
import { root } from '#tools/root.ts'

const script = (name: string) => join(root, 'deploy/docker', name)
let folder: string
beforeEach(() => void (folder = temporaryFolder()))

test('files become the variables that they are named after, unless those are set', async () => {
  await mkdir(join(folder, '..data'))
  await writeFile(join(folder, 'MASTER_KEYS'), 'from-file\n')
  await writeFile(join(folder, 'POSTGRES_URL'), 'from-file')
  await writeFile(join(folder, 'complete'), 'x')
  const print = join(folder, 'print.mjs')
  await writeFile(
    print,
    `console.log(JSON.stringify([process.env.MASTER_KEYS, process.env.POSTGRES_URL, process.env.complete, ...process.argv.slice(2)]))`,
  )
  const { stdout } = await execa(process.execPath, [script('start.js'), print, 'argument'], {
    env: { SECRETS_DIR: `${folder}:${join(folder, 'none')}`, MASTER_KEYS: '', POSTGRES_URL: 'from-environment' },
  })
  expect(JSON.parse(stdout)).toEqual(['from-file', 'from-environment', null, 'argument'])
})

test('secrets are made once, complete a configuration, and are each readable by their store alone', async () => {
  const make = () => execa(process.execPath, [script('make-secrets.js'), folder])
  await make()
  const names = (await readdir(join(folder, 'app'))).filter((name) => name !== 'complete')
  const read = async () =>
    Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'app', name), 'utf8')])),
    )
  const secrets: NodeJS.ProcessEnv = await read()
  expect(readConfig(secrets).masterKeys.size).toBe(1)
  expect((await stat(join(folder, 'app/MASTER_KEYS'))).mode & 0o777).toBe(0o400)
  const adminUrl = await readFile(join(folder, 'admin/POSTGRES_ADMIN_URL'), 'utf8')
  expect(new URL(adminUrl).password).toBe(await readFile(join(folder, 'postgres/password'), 'utf8'))
  expect(new URL(secrets['POSTGRES_URL']!)).toMatchObject({ username: 'sallyport_app', host: 'postgres:5432' })
  expect(secrets['POSTGRES_URL']).not.toContain(new URL(adminUrl).password)
  expect(await readFile(join(folder, 'redis/queue.conf'), 'utf8')).toBe(
    `requirepass ${new URL(secrets['REDIS_QUEUE_URL']!).password}\n`,
  )
  await make()
  expect(await read()).toEqual(secrets)

  // As created by an earlier release.
  await rm(join(folder, 'admin'), { recursive: true })
  await writeFile(join(folder, 'app/POSTGRES_URL.new'), adminUrl)
  await rename(join(folder, 'app/POSTGRES_URL.new'), join(folder, 'app/POSTGRES_URL'))
  await make()
  expect(await readFile(join(folder, 'admin/POSTGRES_ADMIN_URL'), 'utf8')).toBe(adminUrl)
  expect(new URL((await read())['POSTGRES_URL']!).username).toBe('sallyport_app')

  // After an interrupted run, no store uses the incomplete secrets yet.
  await rm(join(folder, 'app/complete'))
  await make()
  expect((await read())['MASTER_KEYS']).not.toBe(secrets['MASTER_KEYS'])
})

// On macOS loopback has only one address.
test.skipIf(process.platform === 'darwin').each(['127.0.0.2', '0.0.0.0'])(
  'the health of a process that listens on %s is known',
  async (host) => {
    const server = createServer((request, response) => response.end(request.url)).listen(0, host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { stdout } = await execa(process.execPath, [script('health.js'), '/startupz'], {
      env: { HOST: host, PORT: String(port) },
    })
    expect(stdout).toBe('/startupz')
    server.close()
  },
)
