import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { backUpDataDir, restoreDataDir } from './data-dir.ts'

let folder: string
beforeEach(() => void (folder = temporaryFolder()))

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
