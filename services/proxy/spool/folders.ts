import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { second } from '#core/units.ts'

const ownerFile = 'owner.json'
const heartbeatMs = 5 * second

/** A folder of another host whose owner has been silent for this long has no owner any more. */
const silentMs = 60 * second

const Owner = z.object({ host: z.string(), pid: z.number().int(), startTime: z.string() })
type Owner = z.infer<typeof Owner>

export interface SpoolFolder {
  path: string
  /** Gives the folder up; it disappears if nothing is left in it. */
  release(): Promise<void>
}

/** A folder that belongs to this process alone; proxies that share a disk never share a segment. */
export function claimFolder(root: string): SpoolFolder {
  const name = uuidv7()
  const unborn = join(root, `.${name}`)
  const path = join(root, name)
  mkdirSync(unborn, { recursive: true, mode: 0o700 })
  writeOwner(unborn)
  renameSync(unborn, path)
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimesSync(join(path, ownerFile), now, now)
  }, heartbeatMs)
  heartbeat.unref()
  return {
    path,
    async release() {
      clearInterval(heartbeat)
      await rm(join(path, ownerFile), { force: true })
      await rmdir(path).catch(() => undefined)
    },
  }
}

/**
 * Takes over folders whose owner is gone. Moving the old owner's note away decides between proxies that see the same
 * folder at the same time: only one can.
 * @returns paths that are now the caller's to recover
 */
export async function adoptFolders(root: string): Promise<string[]> {
  const adopted: string[] = []
  for (const name of (await readdir(root)).toSorted()) {
    if (name.startsWith('.')) continue
    const path = join(root, name)
    const owner = await readOwner(path)
    if (owner && isAlive(owner)) continue
    try {
      if (owner) await rename(join(path, ownerFile), join(path, `${ownerFile}.${uuidv7()}`))
      writeOwner(path)
      adopted.push(path)
    } catch {
      // Another proxy was faster.
    }
  }
  return adopted
}

type KnownOwner = Owner & { seenAt: number }

async function readOwner(path: string): Promise<KnownOwner | undefined> {
  const file = join(path, ownerFile)
  try {
    const owner = Owner.parse(JSON.parse(await readFile(file, 'utf8')))
    return { ...owner, seenAt: (await stat(file)).mtimeMs }
  } catch {
    return undefined
  }
}

/** Fails when somebody else's note is there. */
const writeOwner = (path: string) =>
  writeFileSync(join(path, ownerFile), JSON.stringify(currentOwner()), { flag: 'wx', mode: 0o600 })

function isAlive(owner: KnownOwner): boolean {
  if (owner.host !== hostname()) return Date.now() - owner.seenAt < silentMs
  return processStartTime(owner.pid) === owner.startTime
}

const currentOwner = (): Owner => ({
  host: hostname(),
  pid: process.pid,
  startTime: processStartTime(process.pid) ?? '',
})

/**
 * Tells a living process from a later one with the same number. Without /proc (macOS) only the number counts.
 * @returns undefined when there is no such process
 */
function processStartTime(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return fields[19]
  } catch {
    try {
      process.kill(pid, 0)
      return ''
    } catch {
      return undefined
    }
  }
}
