import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartFailure } from './start-failure.ts'

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
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartFailure(
      `Can't write to the data directory ${dataDir}\n${reason}\nChoose another: DATA_DIR=… npm start`,
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
