import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Supervisor } from '#tools/process/supervisor.ts'

const sourceFolders = ['web', 'schemas']
const notSources = /^web\/(dist|e2e)(\/|$)/

/** @returns whether web/dist is missing or older than its sources */
export async function webIsStale(root: string): Promise<boolean> {
  const builtAt = await changedAt(join(root, 'web/dist/index.html'))
  if (builtAt === undefined) return true
  const inFolders = await Promise.all(sourceFolders.map((folder) => filesIn(root, folder)))
  const files = [...inFolders.flat(), 'package-lock.json'].filter((file) => !notSources.test(file))
  const changes = await Promise.all(files.map((file) => changedAt(join(root, file))))
  return changes.some((time) => time !== undefined && time > builtAt)
}

export function buildWeb(root: string, run: Supervisor['run']): Promise<void> {
  return run({
    name: 'vite build',
    command: process.execPath,
    args: [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web'],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true })
  return entries.map((entry) => `${folder}/${entry}`)
}

async function changedAt(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found?.mtimeMs
}
