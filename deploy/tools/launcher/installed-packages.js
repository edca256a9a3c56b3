import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns whether the node_modules of a folder hold what its package-lock.json asks for */
export function packagesAreInstalled(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(join(folder, 'node_modules/.package-lock.json'))
  if (!wanted || !installed) return false
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
