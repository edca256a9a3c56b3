import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartFailure } from '#tools/process/start-failure.ts'
import { messageOf } from '#core/errors.ts'
import { makeDataFolder } from '#core/make-data-folder.ts'

/** Increased when a release can't read older data, so that it rejects the data instead of corrupting it. */
const formatVersion = '1'

/**
 * Creates the data directory, or checks that it is writable and belongs to this version of Sallyport.
 * @throws StartFailure that says what to do
 */
export async function openDataDir(dataDir: string): Promise<void> {
  try {
    makeDataFolder(dataDir)
    const entries = await readdir(dataDir)
    const probe = join(dataDir, `.writable-${process.pid}`)
    await writeFile(probe, '')
    await rm(probe)
    await checkVersion(dataDir, entries)
  } catch (error) {
    if (error instanceof StartFailure) throw error
    throw new StartFailure(
      `Can't write to the data directory ${dataDir}\n${messageOf(error)}\nChoose another: DATA_DIR=… npm start`,
      { cause: error },
    )
  }
}

async function checkVersion(dataDir: string, entries: string[]): Promise<void> {
  const file = join(dataDir, 'version')
  if (entries.includes('version')) {
    const found = (await readFile(file, 'utf8')).trim()
    if (found === formatVersion) return
    throw new StartFailure(
      `The data in ${dataDir} is of version ${JSON.stringify(found)}, this release of Sallyport reads version ${formatVersion}.\n` +
        'Use the release that made it, or start with a new directory: DATA_DIR=… npm start',
    )
  }
  if (entries.length > 0)
    throw new StartFailure(
      `${dataDir} is not empty and was not made by Sallyport.\nChoose an empty directory: DATA_DIR=… npm start`,
    )
  await writeFile(file, `${formatVersion}\n`)
}

const rightsOfOthers = 0o077

/**
 * Removes other users' permissions from all files; the umask keeps new files private. The stack must not be running.
 * @throws StartFailure that says what to do
 */
export async function closeToOthers(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir)
  if ((mode & rightsOfOthers) === 0) return
  try {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    for (const entry of entries) if (!entry.isSymbolicLink()) await withoutOthers(join(entry.parentPath, entry.name))
    // Last, so that the next start repeats this if it was interrupted.
    await withoutOthers(dataDir)
  } catch (error) {
    throw new StartFailure(
      `Other users can read the data directory ${dataDir}, and that can't be changed\n${messageOf(error)}\nChoose another: DATA_DIR=… npm start`,
      { cause: error },
    )
  }
}

async function withoutOthers(path: string): Promise<void> {
  const { mode } = await stat(path)
  if (mode & rightsOfOthers) await chmod(path, mode & 0o7777 & ~rightsOfOthers)
}
