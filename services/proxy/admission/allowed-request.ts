import { isClosed, isModelAllowed, needsNoModel } from '../auth/token-restrictions.ts'
import { leadsToObject } from '../keys/object-ids.ts'
import type { ObjectKeys } from '../keys/object-keys.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'

/** These call no model: a provider does not read the one that their body names. */
const modelFreeMethods = new Set(['GET', 'HEAD', 'DELETE'])

/**
 * Whether a token that is limited to models may send a request. Source: product.md 4.6.
 * @throws GatewayError when it can't be known what the token has made
 */
export async function isRequestAllowed(
  { account, request, target, metadata: { model } }: ReceivedRequest,
  objects: Pick<ObjectKeys, 'isOwn'>,
): Promise<boolean> {
  if (isClosed(target)) return false
  const { endpoint } = target
  const { method = '' } = request
  const isModelFree = modelFreeMethods.has(method)
  const isOfObject = leadsToObject(endpoint)
  const isAllowed =
    model !== null && !isModelFree
      ? isModelAllowed(account, model)
      : (isOfObject && (isModelFree || endpoint.endsWith('/cancel'))) || needsNoModel(account, method, target)
  return isAllowed && (!isOfObject || (await objects.isOwn({ account, target })))
}
