import { hash } from 'node:crypto'
import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { readdir, rename, rmdir, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { makeDataFolder } from '#core/make-data-folder.ts'
import { minute, second } from '#core/units.ts'

export const heartbeatMs = 5 * second

/** Another host's folder counts as abandoned after this long without a heartbeat. */
const silentMs = 5 * minute

/** After this long without a heartbeat, its own folder may be gone: the clock of the other host may be ahead. */
const suspendedMs = minute

/** The owner is part of the folder's name, so a takeover is one rename, which only one proxy can win. */
interface Owner {
  host: string
  pid: number
  startTime: string
}

export interface SpoolFolder {
  /** The proxy that wrote the segments; unchanged when another proxy takes over the folder. */
  proxyId: string
  path: string
}

interface ClaimedFolder extends SpoolFolder {
  /**
   * Stops the heartbeat, and removes the folder if it is empty.
   * @param isKept keeps it for the next proxy, which then reports that this one is gone
   */
  release(isKept?: boolean): Promise<void>
}

/** Creates a folder that only this process writes to. */
export function claimFolder(root: string): ClaimedFolder {
  const proxyId = uuidv7()
  const path = join(root, folderName(proxyId, currentOwner()))
  makeDataFolder(path)
  let beatAt = Date.now()
  const heartbeat = setInterval(() => {
    // Its logs are shipped already, as interrupted where requests were in progress. What it records from now on would be
    // lost or stored twice, so it ends at once, as if it had died.
    if (Date.now() - beatAt >= suspendedMs && !existsSync(path))
      throw new Error('another proxy has taken over the spool of this one, which was suspended')
    beatAt = Date.now()
    keepAlive(path)
  }, heartbeatMs)
  heartbeat.unref()
  return {
    proxyId,
    path,
    async release(isKept = false) {
      clearInterval(heartbeat)
      if (!isKept) await rmdir(path).catch(() => undefined)
    },
  }
}

/** Recreates a removed folder, so that new segments can be written. */
function keepAlive(path: string): void {
  const now = new Date()
  try {
    makeDataFolder(path)
    utimesSync(path, now, now)
  } catch {
    // If the disk is unavailable or full, the spool's next write reports it.
  }
}

/** The last ones of other hosts' owners by folder, and when they were looked at, ms since 1970. */
export type Heartbeats = Map<string, { mtimeMs: number; seenAtMs: number }>

/**
 * Takes over folders whose owner is dead.
 * @param heartbeats as of the call before
 * @returns the folders to recover
 */
export async function adoptFolders(root: string, heartbeats: Heartbeats = new Map()): Promise<SpoolFolder[]> {
  const adopted: SpoolFolder[] = []
  const owner = currentOwner()
  for (const name of (await readdir(root)).toSorted()) {
    const parsed = parseFolderName(name)
    const path = join(root, name)
    if (!parsed || (await isAlive(parsed.owner, path, heartbeats))) continue
    const adoptedPath = join(root, folderName(parsed.proxyId, owner))
    try {
      // First refresh the time that other hosts check, so that the renamed folder never looks abandoned.
      await utimes(path, new Date(), new Date())
      await rename(path, adoptedPath)
      adopted.push({ proxyId: parsed.proxyId, path: adoptedPath })
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

async function isAlive(owner: Owner, path: string, heartbeats: Heartbeats): Promise<boolean> {
  if (owner.host === hostId()) return processStartTime(owner.pid) === owner.startTime
  try {
    const { mtimeMs } = await stat(path)
    const [now, before] = [Date.now(), heartbeats.get(path)]
    // After a pause of the machine or of this process, all owners look silent until their next heartbeat.
    const isKnown = before?.mtimeMs === mtimeMs && now - before.seenAtMs < silentMs
    heartbeats.set(path, { mtimeMs, seenAtMs: now })
    return !isKnown || now - mtimeMs < silentMs
  } catch {
    heartbeats.delete(path)
    return true
  }
}

/** Short and safe in a file name. */
const hostId = () => hash('sha256', hostname()).slice(0, 12)

const currentOwner = (): Owner => ({
  host: hostId(),
  pid: process.pid,
  startTime: processStartTime(process.pid) ?? '',
})

/**
 * Distinguishes a process from a later one with the same id. Without /proc (macOS), only the id is checked.
 * @returns undefined if there is no such process
 */
function processStartTime(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    // A zombie is not alive.
    return fields?.[0] === 'Z' ? undefined : fields?.[19]
  } catch {
    try {
      process.kill(pid, 0)
      return ''
    } catch {
      return undefined
    }
  }
}
