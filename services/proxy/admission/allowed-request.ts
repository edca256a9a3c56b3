import type { IncomingMessage } from 'node:http'
import { otherModelsOf } from '../auth/other-models.ts'
import { hidesModel, isClosed, isModelAllowed, needsNoModel } from '../auth/token-restrictions.ts'
import { leadsToObject } from '../keys/object-ids.ts'
import type { ObjectKeys } from '../keys/object-keys.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'

const isForm = ({ headers }: IncomingMessage) => /^multipart\//i.test(headers['content-type'] ?? '')

/** Methods that call no model: providers ignore a model in their bodies. */
const modelFreeMethods = new Set(['GET', 'HEAD', 'DELETE'])

/**
 * Whether a model-restricted token may send a request. Source: product.md 4.6.
 * @throws GatewayError when the objects that the token created can't be looked up
 */
export async function isRequestAllowed(
  { account, request, target, body, metadata: { model, terms } }: ReceivedRequest,
  objects: Pick<ObjectKeys, 'isOwn'>,
): Promise<boolean> {
  if (isClosed(target)) return false
  const { endpoint } = target
  const { method = '' } = request
  const isModelFree = modelFreeMethods.has(method)
  if (!isModelFree && hidesModel(target)) return false
  const namesObject = leadsToObject(endpoint)
  // Its path names the model, but what else it names is unknown. A form has no fallbacks.
  if (model !== null && body && !terms && !isForm(request)) return false
  const isAllowed =
    model !== null && !isModelFree
      ? isModelAllowed(account, model)
      : (namesObject && (isModelFree || endpoint.endsWith('/cancel'))) || needsNoModel(account, method, target)
  if (isAllowed && body && 'bytes' in body) {
    const others = await otherModelsOf(body.bytes)
    if (!others?.every((other) => isModelAllowed(account, other))) return false
  }
  return isAllowed && (!namesObject || (await objects.isOwn({ account, target })))
}
