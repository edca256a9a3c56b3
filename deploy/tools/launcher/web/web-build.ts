import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Supervisor } from '#tools/process/supervisor.ts'

const sourceFolders = ['web', 'schemas']
const notSources = /^web\/(dist|e2e)(\/|$)/

/** @returns whether web/dist is missing or older than its sources */
export function webIsStale(root: string): boolean {
  const builtAt = changedAt(join(root, 'web/dist/index.html'))
  if (builtAt === undefined) return true
  // Synchronous calls for so many files take half the CPU of asynchronous ones.
  const inFolders = sourceFolders.flatMap((folder) => filesIn(root, folder))
  const files = [...inFolders, 'package-lock.json'].filter((file) => !notSources.test(file))
  return files.some((file) => (changedAt(join(root, file)) ?? 0) > builtAt)
}

/** Readable for all users, unlike other files of the stack: services of this checkout may run as another one. */
export function buildWeb(root: string, run: Supervisor['run']): Promise<void> {
  return run({
    name: 'vite build',
    command: 'sh',
    args: [
      '-c',
      'umask 022 && exec "$0" "$@"',
      process.execPath,
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      'web',
    ],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

function filesIn(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return entries.map((entry) => `${folder}/${entry}`)
}

const changedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs
