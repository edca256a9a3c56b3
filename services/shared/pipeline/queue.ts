import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { kib, mib } from '#core/units.ts'

const decompress = promisify(zstdDecompress)

export const requestEventQueue = 'request-events'

/** Jobs that delete the logs of deleted accounts; the job id is the account id. */
export const accountDeletionQueue = 'account-deletions'
export const AccountDeletion = z.object({
  accountId: z.uuid(),
  /** True if Postgres lists the deletion until it is complete; jobs of earlier releases are not listed. */
  isListed: z.boolean().default(false),
  /** Accounts to remove once more together with this one. */
  others: z.array(z.uuid()).default([]),
})

/** Events that can't be stored, with the reason, until an operator requeues or drops them. */
export const deadEventQueue = 'request-events-dead'

/**
 * A batch is retried without limit, and kept if it can't be read. The queue's own delay would last until a time by the
 * clock of the worker's machine, which may be hours ahead.
 */
export const batchJobOptions = {
  attempts: Number.MAX_SAFE_INTEGER,
  removeOnComplete: true,
  removeOnFail: false,
  stackTraceLimit: 1,
} as const

/** Larger than any batch of a proxy; anything larger is invalid. */
const maxBatchBytes = 64 * mib

/** Most compressed batches fit into one chunk; each chunk takes a turn of the event loop. */
const compression = { chunkSize: 256 * kib, params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Data of a job, whose id is the batch id. `lines` is zstd in base64. */
export const EventBatch = z.object({
  version: z.literal(1),
  count: z.number().int().positive(),
  /** Size before compression. */
  bytes: z.number().int().positive(),
  lines: z.string(),
})
export type EventBatch = z.infer<typeof EventBatch>

/** The name of a job tells its number of events, so that a queue can be counted without reading its jobs. */
export const jobNameOf = (events: number): string => `events-${events}`

/** @returns 1 for a job with another name */
export const eventsOfJobName = (name: string | null): number => Number(/^events-(\d+)$/.exec(name ?? '')?.[1] ?? 1)

/**
 * Compresses off the event loop. Chunks are not concatenated first, because the input of a compression stays in memory
 * until the next full garbage collection.
 * @param text JSON lines, one per event, in few chunks
 */
export async function packEventBatch(text: readonly Buffer[], count: number): Promise<EventBatch> {
  const zstd = createZstdCompress(compression)
  for (const chunk of text) zstd.write(chunk)
  zstd.end()
  const packed = await buffer(zstd)
  const bytes = text.reduce((sum, chunk) => sum + chunk.length, 0)
  return { version: 1, count, bytes, lines: packed.toString('base64') }
}

export function packEvents(events: readonly unknown[]): Promise<EventBatch> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`)
  return packEventBatch([Buffer.from(lines.join(''))], events.length)
}

/** Decompresses into one chunk, which takes a fifth of the CPU time of many. @throws Error for an invalid batch */
export async function unpackEventBatch({ lines, bytes }: EventBatch): Promise<string[]> {
  const chunkSize = Math.min(bytes + kib, maxBatchBytes)
  const text = await decompress(Buffer.from(lines, 'base64'), { chunkSize, maxOutputLength: maxBatchBytes })
  return text.toString().trimEnd().split('\n')
}
