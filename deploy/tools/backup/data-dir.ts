import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { lockName, takeLock } from '#tools/launcher/lock.ts'
import { StartFailure } from '#tools/process/start-failure.ts'

const draftName = 'restoring'

/**
 * Copies all data of the embedded stack, including secrets. The stack must have stopped, so that the copy is
 * consistent; processes that a killed stack left behind are stopped first.
 * @throws StartFailure when the stack runs, there is nothing to copy, or `target` exists
 */
export async function backUpDataDir(dataDir: string, target: string): Promise<void> {
  if (!existsSync(join(dataDir, 'secrets.json'))) throw new StartFailure(`There is no data in ${resolve(dataDir)}.`)
  if (existsSync(target))
    throw new StartFailure(`${resolve(target)} is there already; a backup never replaces another.`)
  const lock = await takeLock(dataDir)
  const draft = `${resolve(target)}.new`
  try {
    await copy(dataDir, draft)
    await rename(draft, target)
  } finally {
    await lock.release()
  }
}

/**
 * Restores a backup into a data directory that does not exist or is empty.
 * @throws StartFailure when `source` is not a backup, or data would be overwritten
 */
export async function restoreDataDir(source: string, dataDir: string): Promise<void> {
  if (!existsSync(join(source, 'secrets.json'))) throw new StartFailure(`${resolve(source)} is not a backup.`)
  const found = await readdir(dataDir).catch(() => [])
  if (found.some((name) => name !== draftName))
    throw new StartFailure(`There is data in ${resolve(dataDir)}: move it away first, or choose another: DATA_DIR=…`)
  // Inside, because a mount point can't be replaced.
  const draft = join(dataDir, draftName)
  await copy(source, draft)
  // `version` comes last: no start accepts the folder without it.
  const names = (await readdir(draft)).toSorted((a, b) => Number(a === 'version') - Number(b === 'version'))
  for (const name of names) await rename(join(draft, name), join(dataDir, name))
  await rmdir(draft)
}

/** Keeps owners and times, unlike Node's own copy: the files of Postgres may belong to another user. */
async function copy(from: string, draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true })
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
  const { failed, stderr } = await execa('cp', ['-a', resolve(from), draft], { reject: false })
  if (failed) {
    await rm(draft, { recursive: true, force: true })
    // The disk is full, or must not be written: a line for each file would say the same.
    throw new StartFailure(stderr.split('\n', 1).join())
  }
  await rm(join(draft, lockName), { force: true })
}
