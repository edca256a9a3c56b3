import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from './errors.ts'

/**
 * Makes a folder below DATA_DIR, and those above it.
 * @throws Error naming DATA_DIR. Node's own `recursive` never returns where folders can't be made, as in /proc.
 */
export function makeDataFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(path) !== path) makeDataFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    throw new Error(`DATA_DIR: the folder ${path} can not be made: ${messageOf(error)}`, { cause: error })
  }
}
