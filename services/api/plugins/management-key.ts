import type { FastifyRequest } from 'fastify'
import type { ManagementArea, ManagementScope } from '#schemas/management-keys.ts'
import { product } from '#schemas/product.ts'
import type { FairQueue } from '#core/limits/fair-queue.ts'
import { Problem } from '#core/problem.ts'
import { hashToken, isWellFormedToken } from '#shared/secure-token.ts'
import type { ManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import type { SignedIn } from '#store/postgres/sign-in/signed-in.ts'
import { rateLimitPrefix } from '../sign-in/client-address.ts'
import { requireNamedAccount } from './named-account.ts'

const bearer = /^bearer +(\S+)$/i
const invalid = 'This management key is unknown, deleted or expired.'
const forScripts = 'Management keys are for scripts. In a browser, sign in.'

/** Browsers send these on their own, and a page must not act with a key that its visitor can read. */
const browserHeaders = ['origin', 'sec-fetch-site', 'cookie']

/** @returns the management key that a request carries; secure tokens are for the proxy only */
export function managementKeyOf({ headers }: FastifyRequest): string | undefined {
  const [, key] = bearer.exec(headers.authorization ?? '') ?? []
  return key?.startsWith(product.managementKeyPrefix) ? key : undefined
}

/**
 * The account for which a management key acts.
 * @param lookUps queue by client address
 * @param area of the route; undefined if keys have no access
 * @throws Problem `unauthorized`, or `key-scope` if the key may not do what the request asks for
 */
export async function signInByKey(
  keys: Pick<ManagementKeyStore, 'resolve'>,
  lookUps: FairQueue,
  key: string,
  request: FastifyRequest,
  area: ManagementArea | undefined,
): Promise<SignedIn> {
  if (browserHeaders.some((name) => request.headers[name] !== undefined)) {
    throw new Problem('unauthorized', { detail: forScripts })
  }
  const isWellFormed = isWellFormedToken(key, product.managementKeyPrefix)
  const lookUp = () => keys.resolve(hashToken(key))
  const found = isWellFormed ? await lookUps.run(rateLimitPrefix(request.ip), lookUp) : undefined
  if (!found) throw new Problem('unauthorized', { detail: invalid })
  const { user, credential, scopes } = found
  requireNamedAccount(request, user.id)
  const mayWrite = area !== undefined && scopes.includes(`${area}:write` satisfies ManagementScope)
  const mayRead = mayWrite || (area !== undefined && scopes.includes(`${area}:read` satisfies ManagementScope))
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!(isRead ? mayRead : mayWrite)) throw new Problem('key-scope')
  // A key must not take over its account: in that area, only people can do what requires the password.
  return { user, credential, isConfirmed: mayWrite && area !== 'account' }
}
