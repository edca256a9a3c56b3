import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { kib, mib } from './units.ts'

/** A compressed batch fits into one piece as a rule; each piece is a turn of the event loop. */
const pieceBytes = 256 * kib

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const requestEventQueue = 'request-events'

/** Jobs that remove the logs of deleted accounts; the id of a job is the account's. */
export const accountDeletionQueue = 'account-deletions'
export const AccountDeletion = z.object({ accountId: z.uuid() })
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** Larger than any batch that a proxy makes; a decompressed batch beyond it is not one of ours. */
const maxBatchBytes = 256 * mib

/** The one kind of job in the queue: immutable, its id is the batch id. `lines` is zstd, then base64. */
export const EventBatch = z.object({
  version: z.literal(1),
  count: z.number().int().positive(),
  lines: z.string(),
})
export type EventBatch = z.infer<typeof EventBatch>

/**
 * @param lines JSON of one event each, as they were serialised when the request ended
 * Compression runs off the event loop: a flush must not hold up requests.
 */
export async function packEventBatch(lines: readonly string[]): Promise<EventBatch> {
  const packed = await compress(lines.join('\n'), { chunkSize: pieceBytes })
  return { version: 1, count: lines.length, lines: packed.toString('base64') }
}

/** @throws Error when the bytes are not a batch */
export async function unpackEventBatch({ lines }: EventBatch): Promise<string[]> {
  const text = await decompress(Buffer.from(lines, 'base64'), { maxOutputLength: maxBatchBytes })
  return text.toString().split('\n')
}
