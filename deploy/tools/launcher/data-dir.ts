import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartFailure } from '#tools/process/start-failure.ts'
import { messageOf } from '#core/errors.ts'

/** Raised when a release can't read what an older one wrote, so that it says so instead of breaking it. */
const formatVersion = '1'

/**
 * Makes sure that the data directory is there, writable, ours and of this version.
 * @throws StartFailure that says what to do
 */
export async function openDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir)
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

/** Not Node's `recursive`: that one never returns for a path such as /proc/x, where the kernel says ENOENT for ever. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (!existsSync(parent)) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 })
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

const others = 0o077

/**
 * Takes the rights of other users from all that is there; what comes later gets none, by the umask. Nothing may run in it.
 * @throws StartFailure that says what to do
 */
export async function closeToOthers(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir)
  if ((mode & others) === 0) return
  try {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    for (const entry of entries) if (!entry.isSymbolicLink()) await withoutOthers(join(entry.parentPath, entry.name))
    // The folder last: as long as it is open, the next start does this again.
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
  if (mode & others) await chmod(path, mode & 0o7777 & ~others)
}
