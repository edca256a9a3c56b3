import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'

test('stores are found by URLs that stand in files', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'backup-'))
  const file = join(directory.path, 'POSTGRES_URL')
  await writeFile(file, 'postgres://127.0.0.1/sallyport\n')
  const { stderr } = await execa(process.execPath, [join(import.meta.dirname, 'main.ts'), 'backup', directory.path], {
    env: { POSTGRES_URL: '', CLICKHOUSE_URL: '', POSTGRES_URL_FILE: file, DATA_DIR: join(directory.path, 'none') },
    reject: false,
  })
  expect(stderr).toBe('Set POSTGRES_URL and CLICKHOUSE_URL, or none of them: a backup is all of one kind.')
})
