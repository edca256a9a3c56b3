import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { endMark, idOf, readSegment, segmentExtension } from './segment.ts'

/** Brings one batch to the queue; resolves once it is on disk there. */
export type Publish = (batchId: string, lines: readonly string[]) => Promise<void>

/**
 * Ships what a dead proxy left behind: its batches under their own ids, and every request that began but has no end
 * as it stood at its beginning (outcome `interrupted`). May itself be interrupted and repeated at any point.
 * @param folder nobody writes to it any more
 */
export async function recoverFolder(folder: string, publish: Publish): Promise<void> {
  await closeOpenRequests(folder)
  for (const file of await segmentFiles(folder)) {
    const path = join(folder, file)
    const { ends } = await readSegment(path)
    if (ends.length > 0) await publish(file.slice(0, -segmentExtension.length), ends)
    await rm(path)
  }
  await rm(folder, { recursive: true })
}

/** The interrupted requests become one more segment, which sorts last and appears in one step. */
async function closeOpenRequests(folder: string): Promise<void> {
  const open = new Map<string, string>()
  for (const file of await segmentFiles(folder)) {
    const { begins, ends } = await readSegment(join(folder, file))
    for (const [id, record] of begins) open.set(id, record)
    for (const end of ends) open.delete(idOf(end))
  }
  if (open.size === 0) return
  const path = join(folder, uuidv7() + segmentExtension)
  await writeFile(`${path}.new`, [...open.values()].map((record) => `${endMark}${record}\n`).join(''), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** Oldest first: the names are UUIDv7. */
async function segmentFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith(segmentExtension)).toSorted()
}
