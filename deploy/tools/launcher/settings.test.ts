import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#core/config.ts'
import { root } from '#tools/root.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { servicesEnvironment, writeServicesEnvironment } from './environment.ts'
import { describeServices } from './services.ts'
import { readSettings } from './settings.ts'

const files = {
  POSTGRES_URL: 'postgres://db/sallyport',
  REDIS_STATE_URL: 'redis://state',
  REDIS_QUEUE_URL: 'redis://queue',
  CLICKHOUSE_URL: 'http://logs:8123',
  MASTER_KEYS: `2:${Buffer.alloc(32, 'key').toString('base64')}`,
}
const secrets = {
  masterKeys: '',
  sessionSecret: 'x'.repeat(32),
  postgresPassword: '',
  redisPassword: '',
  demoPassword: '',
}

test('stores and secrets that are in files are not embedded, and the services get them', async () => {
  const folder = temporaryFolder()
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(files)) {
    env[`${name}_FILE`] = join(folder, name)
    await writeFile(join(folder, name), `${value}\n`)
  }
  const settings = readSettings(env)
  expect(settings.given).toEqual({
    postgresUrl: files.POSTGRES_URL,
    redisStateUrl: files.REDIS_STATE_URL,
    redisQueueUrl: files.REDIS_QUEUE_URL,
    clickhouseUrl: files.CLICKHOUSE_URL,
  })
  const environment = servicesEnvironment(settings, settings.given, secrets)
  const { api, proxy } = describeServices({ root, settings, environment, apiPort: 1, watch: false, onLine: () => {} })
  for (const service of [api, proxy]) {
    const config = readConfig(service.env)
    expect(config).toMatchObject({ postgresUrl: files.POSTGRES_URL, clickhouseUrl: files.CLICKHOUSE_URL })
    expect([...config.masterKeys.keys()]).toEqual([2])
  }
  expect(() => readSettings({ ...env, ...files })).toThrow('POSTGRES_URL_FILE: is set beside POSTGRES_URL')
})

test('commands in another terminal have the settings of the stack', async () => {
  const folder = temporaryFolder()
  const env = {
    PROVIDER_BASE_URL: 'http://127.0.0.1:4010',
    PLAN_LIMITS: '{"free":{"tokens":2}}',
    SESSION_SECRET: `it's #1, ${'x'.repeat(32)}`,
  }
  await writeServicesEnvironment(folder, servicesEnvironment(readSettings(env), {}, secrets))
  expect(parseEnv(await readFile(join(folder, 'services.env'), 'utf8'))).toMatchObject(env)
})

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
const withSettings = Object.values(scripts).filter((script) => script.includes('--settings='))

test.each(withSettings)('%s finds them in a folder with spaces in its path', async (script) => {
  const command = script.replace('exec node', "printf '%s\\n'")
  const { stdout } = await execa('sh', ['-c', command], { env: { DATA_DIR: '/my data' } })
  expect(stdout.split('\n')).toContain('--settings=/my data/services.env')
})
