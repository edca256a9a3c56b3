import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from './errors.ts'

/**
 * Creates a folder below DATA_DIR, and its parents.
 * @throws Error naming DATA_DIR. Node's own `recursive` never returns where folders can't be created, as in /proc.
 */
export function makeDataFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(path) !== path) makeDataFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    throw new Error(`DATA_DIR: the folder ${path} cannot be made: ${messageOf(error)}`, { cause: error })
  }
}
