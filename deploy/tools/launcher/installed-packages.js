import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns whether node_modules holds what package-lock.json asks for, and Node itself */
export function packagesAreInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'))
  if (!wanted || !installed || !existsSync(join(root, 'node_modules/.bin/node'))) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    // npm leaves out optional packages that are made for another platform.
    return found ? found.version === version && found.integrity === integrity : optional === true
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
