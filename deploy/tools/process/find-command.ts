import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @returns the path of the first of `names` found in one of the folders */
export function findCommand(names: readonly string[], folders = foldersOfPath()): string | undefined {
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Debian installs servers in a folder that is not on every user's path. */
const foldersOfPath = () => [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/sbin']
