import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { makeDataFolder } from './make-data-folder.ts'

test('a folder is made with those above it, for its owner alone; once more it stays', async () => {
  const path = join(temporaryFolder(), 'data/spool')
  makeDataFolder(path)
  makeDataFolder(path)
  const { mode } = await stat(path)
  expect(mode & 0o777).toBe(0o700)
})

test.runIf(process.platform === 'linux')('where no folder can be made, it says so instead of trying forever', () => {
  expect(() => makeDataFolder('/proc/data/spool')).toThrow('DATA_DIR: the folder /proc/data cannot be made: ')
})

test('a file in the place of a folder is named', async () => {
  const file = join(temporaryFolder(), 'data')
  await writeFile(file, '')
  expect(() => makeDataFolder(join(file, 'spool'))).toThrow(`DATA_DIR: the folder ${file} cannot be made: `)
})
