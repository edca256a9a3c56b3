import { findEndpoint } from '#schemas/endpoints.ts'
import { type CompletionWindow, completionWindows } from '#schemas/price-rates.ts'
import type { RequestBody } from '../request/body.ts'
import { findMembers } from '../request/json/find-members.ts'
import type { RequestMetadata } from '../request/metadata.ts'
import type { Target } from '../request/target.ts'
import { readName } from './response-usage.ts'

const firstOfTrue = 0x74

interface Request {
  request: { method?: string | undefined }
  target: Target
  body: RequestBody
  metadata: Pick<RequestMetadata, 'terms'>
}

/**
 * The window within which the background response may be completed that a request creates, if that lowers its price.
 * Anything ambiguous does not.
 */
export function completionWindowOf({
  request,
  target,
  body,
  metadata: { terms },
}: Request): CompletionWindow | undefined {
  const { background, background_options: options } = terms ?? {}
  if (!background || !options || !body || !('bytes' in body)) return undefined
  if (request.method !== 'POST' || findEndpoint(target.endpoint)?.path !== '/v1/responses') return undefined
  const isClear = [background, options].every(({ count, from }) => count === 1 && from !== -1)
  if (!isClear || body.bytes[background.from] !== firstOfTrue) return undefined
  const json = body.bytes.subarray(options.from, options.to)
  const member = findMembers(json, ['completion_window'])?.completion_window
  const window = member?.count === 1 ? readName(json, member) : undefined
  return completionWindows.find((each) => each === window)
}
