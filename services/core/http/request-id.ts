import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const bytesPerId = 16

/** Random bytes for many ids: a call per id would cost more than the rest of the id. */
const pool = new Uint8Array(bytesPerId * 256)
let used = pool.length

/** A UUIDv7. Ids of the same millisecond are in no particular order. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + bytesPerId)
  used += bytesPerId
  return uuidv7({ random })
}
