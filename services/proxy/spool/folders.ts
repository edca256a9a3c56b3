import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { readdir, rename, rmdir, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { minute, second } from '#core/units.ts'

const heartbeatMs = 5 * second

/** A folder of another host whose owner has been silent for this long has no owner any more. */
const silentMs = 5 * minute

/** The owner is part of the folder's name, so taking a folder over is one rename, and only one proxy can do it. */
interface Owner {
  host: string
  pid: number
  startTime: string
}

export interface SpoolFolder {
  /** Of the proxy that wrote what is in the folder; it stays when another proxy takes the folder over. */
  proxyId: string
  path: string
}

export interface ClaimedFolder extends SpoolFolder {
  /** Gives the folder up; it disappears if nothing is left in it. */
  release(): Promise<void>
}

/** A folder that belongs to this process alone; proxies that share a disk never share a segment. */
export function claimFolder(root: string): ClaimedFolder {
  const proxyId = uuidv7()
  const path = join(root, folderName(proxyId, currentOwner()))
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const heartbeat = setInterval(() => keepAlive(path), heartbeatMs)
  heartbeat.unref()
  return {
    proxyId,
    path,
    async release() {
      clearInterval(heartbeat)
      await rmdir(path).catch(() => undefined)
    },
  }
}

/** A folder that was removed is made anew, so that new segments can be written. */
function keepAlive(path: string): void {
  const now = new Date()
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    utimesSync(path, now, now)
  } catch {
    // The disk is away or full; the spool says so when it writes.
  }
}

/**
 * Takes over folders whose owner is gone.
 * @returns those that are now the caller's to recover
 */
export async function adoptFolders(root: string, owner: Owner = currentOwner()): Promise<SpoolFolder[]> {
  const adopted: SpoolFolder[] = []
  for (const name of (await readdir(root)).toSorted()) {
    const parsed = parseFolderName(name)
    const path = join(root, name)
    if (!parsed || (await isAlive(parsed.owner, path))) continue
    const mine = join(root, folderName(parsed.proxyId, owner))
    try {
      // Its new name belongs to a living owner from the first moment on; for other hosts the time decides.
      await utimes(path, new Date(), new Date())
      await rename(path, mine)
      adopted.push({ proxyId: parsed.proxyId, path: mine })
    } catch {
      // Another proxy was faster.
    }
  }
  return adopted
}

const folderName = (proxyId: string, { host, pid, startTime }: Owner) => `${proxyId}.${host}.${pid}.${startTime}`

function parseFolderName(name: string): { proxyId: string; owner: Owner } | undefined {
  const [proxyId, host, pid, startTime] = name.split('.')
  if (!proxyId || !host || !pid || startTime === undefined) return undefined
  return { proxyId, owner: { host, pid: Number(pid), startTime } }
}

async function isAlive(owner: Owner, path: string): Promise<boolean> {
  if (owner.host === hostId()) return processStartTime(owner.pid) === owner.startTime
  try {
    return Date.now() - (await stat(path)).mtimeMs < silentMs
  } catch {
    return true
  }
}

/** Short, and safe as a part of a file name. */
const hostId = () => hash('sha256', hostname()).slice(0, 12)

const currentOwner = (): Owner => ({
  host: hostId(),
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
    // A killed process whose parent has not noticed yet is not alive.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    try {
      process.kill(pid, 0)
      return ''
    } catch {
      return undefined
    }
  }
}
