import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const gib = 1024 ** 3

/**
 * Makes a folder in memory for the temporary files of tests, if the machine has enough room for it: ext4 takes much
 * CPU to create so many short-lived files. It is removed when the process exits.
 * @returns the environment that makes processes use it; empty without such a folder, or if the user chose another one
 */
export function keepFilesInMemory(): NodeJS.ProcessEnv {
  if (process.env['TMPDIR'] || !hasRoom()) return {}
  const folder = mkdtempSync(join(memory, 'sallyport-tests-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  // Postgres may run as a user of its own.
  chmodSync(folder, 0o755)
  return mayExecute(folder) ? { TMPDIR: folder } : {}
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= 4 * gib && process.availableMemory() >= 8 * gib
  } catch {
    return false
  }
}

/** Tests run programs that they write. Containers often forbid that in their memory. */
function mayExecute(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '', { mode: 0o755 })
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}
