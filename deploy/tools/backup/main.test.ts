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
