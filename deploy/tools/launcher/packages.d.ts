import type { ChildProcess } from 'node:child_process'

export function installPackages(folder: string, onStart: (npm: ChildProcess) => void): Promise<void>

export function packagesAreInstalled(folder: string): boolean
