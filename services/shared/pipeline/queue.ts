import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { kib, mib, second } from '#core/units.ts'

const decompress = promisify(zstdDecompress)

export const requestEventQueue = 'request-events'

/** Jobs that remove the logs of deleted accounts; the id of a job is the account's. */
export const accountDeletionQueue = 'account-deletions'
export const AccountDeletion = z.object({ accountId: z.uuid() })
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** Events that can't be stored, with the reason, until an operator replays or drops them. */
export const deadEventQueue = 'request-events-dead'

/** A batch is tried for as long as it takes, and kept when it can't be read. */
export const batchJobOptions = {
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'fixed', delay: second },
  removeOnComplete: true,
  removeOnFail: false,
  stackTraceLimit: 1,
} as const

/** Larger than any batch that a proxy makes; a decompressed batch beyond it is not one of ours. */
const maxBatchBytes = 64 * mib

/** A compressed batch fits into one piece as a rule: each piece takes a turn of the event loop. */
const compression = { chunkSize: 256 * kib, params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** The one kind of job in the queue: immutable, its id is the batch id. `lines` is zstd, then base64. */
export const EventBatch = z.object({
  version: z.literal(1),
  count: z.number().int().positive(),
  /** Before compression. */
  bytes: z.number().int().positive(),
  lines: z.string(),
})
export type EventBatch = z.infer<typeof EventBatch>

/** The name of a job, by which events in a queue are counted without reading the jobs' data. */
export const jobNameOf = (events: number): string => `events-${events}`

/** @returns 1 for a job with another name */
export const eventsOfJobName = (name: string | null): number => Number(/^events-(\d+)$/.exec(name ?? '')?.[1] ?? 1)

/**
 * Compression runs off the event loop: a flush must not hold up requests. The pieces are not put together before:
 * what a compression was given stays in memory until the next full collection.
 * @param text JSON lines, one an event, as they were serialised when the request ended; in few pieces
 * @param count of the events
 */
export async function packEventBatch(text: readonly Buffer[], count: number): Promise<EventBatch> {
  const zstd = createZstdCompress(compression)
  for (const piece of text) zstd.write(piece)
  zstd.end()
  const packed = await buffer(zstd)
  const bytes = text.reduce((sum, piece) => sum + piece.length, 0)
  return { version: 1, count, bytes, lines: packed.toString('base64') }
}

/** @param events that are not serialised yet */
export function packEvents(events: readonly unknown[]): Promise<EventBatch> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`)
  return packEventBatch([Buffer.from(lines.join(''))], events.length)
}

/**
 * In one piece, as it says how large it is: piece by piece takes five times the processor time.
 * @throws Error when the bytes are not a batch
 */
export async function unpackEventBatch({ lines, bytes }: EventBatch): Promise<string[]> {
  const chunkSize = Math.min(bytes + kib, maxBatchBytes)
  const text = await decompress(Buffer.from(lines, 'base64'), { chunkSize, maxOutputLength: maxBatchBytes })
  return text.toString().trimEnd().split('\n')
}
