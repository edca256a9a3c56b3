import { completionWindows } from '#schemas/price-rates.ts'
import type { RequestBody } from '../request/body.ts'
import { findMembers } from '../request/json/find-members.ts'
import type { Terms } from '../request/metadata.ts'
import { readName } from './response-usage.ts'

/** The window within which a background response may be completed, if that lowers its price. */
export function completionWindowOf(body: RequestBody, terms: Terms | undefined): string | undefined {
  const options = terms?.background_options
  if (options?.count !== 1 || options.from === -1 || !body || !('bytes' in body)) return undefined
  const json = body.bytes.subarray(options.from, options.to)
  const member = findMembers(json, ['completion_window'])?.completion_window
  const window = member?.count === 1 ? readName(json, member) : undefined
  return completionWindows.find((each) => each === window)
}
