import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '#core/errors.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { processIdentity } from '#tools/process/process-identity.ts'
import { StartFailure } from '#tools/process/start-failure.ts'
import { stopProcess } from '#tools/process/stop-process.ts'

const Process = z.object({
  pid: z.number().int().positive(),
  identity: z.string(),
})
const ChildProcess = Process.extend({ name: z.string(), stopSignal: z.enum(['SIGTERM', 'SIGINT']) })
const Contents = z.object({ owner: Process, children: z.array(ChildProcess) })
type Process = z.infer<typeof Process>
type Contents = z.infer<typeof Contents>
type LockedChild = z.infer<typeof ChildProcess>

export interface Lock {
  /**
   * Records a child, replacing one of the same name, so that the next start finds it if this process is killed. Does
   * nothing while the disk is full.
   */
  setChild(child: Omit<LockedChild, 'identity'>): Promise<void>
  release(): Promise<void>
}

/** The lock's file in a data directory. */
export const lockName = 'lock.json'
const stopWithinMs = 10_000

/**
 * Acquires the lock of a data directory, which one supervisor can hold at a time, and stops what a killed one left.
 * @param onStale called before that
 * @throws StartFailure when a live process holds it
 */
export async function takeLock(dataDir: string, onStale?: () => void): Promise<Lock> {
  const file = join(dataDir, lockName)
  const contents: Contents = { owner: { pid: process.pid, identity: await identify(process.pid) }, children: [] }
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(contents), { mode: 0o600 })
  try {
    if (!(await tryLink(draft, file))) {
      const children = await removeStale(file)
      if (!(await tryLink(draft, file))) throw await lockedByAnother(file)
      onStale?.()
      await Promise.all(children.map(stopChild))
    }
  } finally {
    await rm(draft, { force: true })
  }
  let writing = Promise.resolve()
  const write = async () => {
    await writeFile(draft, JSON.stringify(contents), { mode: 0o600 })
    await rename(draft, file)
  }
  return {
    async setChild(child) {
      const identity = await identify(child.pid)
      contents.children = [...contents.children.filter(({ name }) => name !== child.name), { ...child, identity }]
      // A child that can't be recorded runs all the same, so that the stack outlives a full disk.
      writing = writing.then(write).catch(() => {})
      await writing
    },
    async release() {
      await writing
      await rm(file, { force: true })
    },
  }
}

/** @returns the children of the dead owner that still run, identified by their start time */
async function removeStale(file: string): Promise<LockedChild[]> {
  const text = await readFile(file, 'utf8')
  const contents = parse(text)
  if (contents && (await isAlive(contents.owner))) throw await lockedByAnother(file)
  const removed = `${file}.${randomUUID()}`
  await rename(file, removed)
  // Another process may have replaced the stale lock in the meantime; its lock is then put back.
  const isSame = (await readFile(removed, 'utf8')) === text
  if (!isSame) await tryLink(removed, file)
  await rm(removed)
  if (!isSame) throw await lockedByAnother(file)
  const alive = await Promise.all((contents?.children ?? []).map(isAlive))
  return (contents?.children ?? []).filter((_, index) => alive[index])
}

/** Stops a child of a killed supervisor, unless its pid now belongs to another process. */
const stopChild = ({ stopSignal, ...child }: LockedChild) =>
  stopProcess(child.pid, {
    signal: stopSignal,
    limitMs: stopWithinMs,
    hasExited: async () => !(await isAlive(child)),
  })

async function tryLink(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function lockedByAnother(file: string): Promise<StartFailure> {
  const pid = parse(await readFile(file, 'utf8').catch(() => ''))?.owner.pid
  return new StartFailure(
    `Sallyport is already running (pid ${pid}) on this data directory. Stop it first, or choose another: DATA_DIR=… npm start`,
  )
}

const identify = async (pid: number) => (await processIdentity(pid)) ?? 'gone'

const isAlive = async ({ pid, identity }: Process) => (await processIdentity(pid)) === identity

/** @returns undefined for a truncated or invalid lock, whose owner has died */
const parse = (text: string): Contents | undefined => Contents.safeParse(parseJson(text)).data
