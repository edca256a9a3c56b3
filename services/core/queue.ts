import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { kib, mib, second } from './units.ts'

const compress = promisify(zstdCompress)
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

/** How a job is called: so what is in a queue can be counted without reading the jobs' data. */
export const jobNameOf = (events: number): string => `events-${events}`

/** @returns 1 for a job that was not named by us: it is something, and nobody knows what */
export const eventsOfJobName = (name: string | null): number => Number(/^events-(\d+)$/.exec(name ?? '')?.[1] ?? 1)

/**
 * @param lines JSON of one event each, with line break, as they were serialised when the request ended
 * Compression runs off the event loop: a flush must not hold up requests.
 */
export async function packEventBatch(lines: readonly Buffer[]): Promise<EventBatch> {
  const text = Buffer.concat(lines)
  const packed = await compress(text, compression)
  return { version: 1, count: lines.length, bytes: text.length, lines: packed.toString('base64') }
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
