import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'

const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/**
 * Makes a folder in memory for the temporary files of tests, if the machine has enough room for it: ext4 takes an eighth
 * of the CPU of the integration tests to create so many short-lived files. It is removed when the process exits.
 * @returns the environment that makes processes use it; empty without such a folder
 */
export function keepFilesInMemory(): NodeJS.ProcessEnv {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < neededBytes) return {}
    const folder = mkdtempSync(`${memory}/sallyport-tests-`)
    // Postgres may run as a user of its own.
    chmodSync(folder, 0o755)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return { TMPDIR: folder }
  } catch {
    return {}
  }
}
