import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'

test('stores are found by URLs that stand in files', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'POSTGRES_URL')
  await writeFile(file, 'postgres://127.0.0.1/sallyport\n')
  const { stderr } = await execa(process.execPath, [join(import.meta.dirname, 'main.ts'), 'backup', folder], {
    env: { POSTGRES_URL: '', CLICKHOUSE_URL: '', POSTGRES_URL_FILE: file, DATA_DIR: join(folder, 'none') },
    reject: false,
  })
  expect(stderr).toBe('Set POSTGRES_URL and CLICKHOUSE_URL, or none of them: a backup is all of one kind.')
})

test('a store that is down is one sentence', async () => {
  const env = {
    POSTGRES_URL: 'postgres://127.0.0.1:1/sallyport',
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
    REDIS_STATE_URL: 'redis://127.0.0.1:1',
    REDIS_QUEUE_URL: 'redis://127.0.0.1:1',
    MASTER_KEYS: '1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
    SESSION_SECRET: 'a secret of at least thirty-two characters',
  }
  const target = join(temporaryFolder(), 'backup')
  const { stderr, exitCode } = await execa(process.execPath, [join(import.meta.dirname, 'main.ts'), 'backup', target], {
    env,
    reject: false,
  })
  expect([stderr, exitCode]).toEqual(['The queue cannot be reached; check REDIS_QUEUE_URL.', 1])
})

test.each([[['backup', '--dry-run']], [['restore', 'monday', '--force']], [['backup', 'monday', 'tuesday']]])(
  '%s shows the usage, and does nothing',
  async (args) => {
    const env = { POSTGRES_URL: '', CLICKHOUSE_URL: '', DATA_DIR: temporaryFolder() }
    const script = join(import.meta.dirname, 'main.ts')
    const { stderr, exitCode } = await execa(process.execPath, [script, ...args], { env, reject: false })
    expect([stderr, exitCode]).toEqual(['Usage: npm run backup -- <folder>, npm run restore -- <folder>', 1])
  },
)
