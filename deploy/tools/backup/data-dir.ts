import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { stopLeftovers } from '#tools/launcher/leftovers.ts'
import { takeLock } from '#tools/launcher/lock.ts'
import { StartFailure } from '#tools/process/start-failure.ts'

const lockName = 'lock.json'

/**
 * Copies all data of the embedded stack, including secrets. The stack must have stopped, so that the copy is
 * consistent; processes that a killed stack left behind are stopped first.
 * @throws StartFailure when the stack runs, there is nothing to copy, or `target` exists
 */
export async function backUpDataDir(dataDir: string, target: string): Promise<void> {
  if (!existsSync(join(dataDir, 'secrets.json'))) throw new StartFailure(`There is no data in ${resolve(dataDir)}.`)
  if (existsSync(target))
    throw new StartFailure(`${resolve(target)} is there already; a backup never replaces another.`)
  const lock = await takeLock(join(dataDir, lockName), stopLeftovers)
  try {
    await copy(dataDir, target)
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
  if (found.length > 0)
    throw new StartFailure(`There is data in ${resolve(dataDir)}: move it away first, or choose another: DATA_DIR=…`)
  await copy(source, dataDir)
}

/** Keeps owners and times, unlike Node's own copy: the files of Postgres may belong to another user. */
async function copy(from: string, to: string): Promise<void> {
  const draft = `${resolve(to)}.new`
  await rm(draft, { recursive: true, force: true })
  await execa('cp', ['-a', resolve(from), draft])
  await rm(join(draft, lockName), { force: true })
  await rm(to, { recursive: true, force: true })
  await rename(draft, to)
}
