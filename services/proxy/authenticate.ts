import type { IncomingMessage } from 'node:http'
import type { Caller, PrincipalCache } from './principal-cache.ts'
import type { RefusalCode } from './refusals.ts'

const bearer = /^Bearer +(\S+) *$/i

/**
 * Whose request this is. A bearer credential that is present decides alone.
 * @returns the caller, or why there is none
 * @throws Error when the store fails and the token is not known here
 */
export function authenticate(
  request: IncomingMessage,
  principals: PrincipalCache,
): Caller | RefusalCode | Promise<Caller | RefusalCode> {
  const sent = request.headersDistinct.authorization
  if (sent === undefined) return 'missing_token'
  if (sent.length > 1) return 'ambiguous_credentials'
  const token = bearer.exec(sent[0]!)?.[1]
  if (token === undefined) return 'missing_token'
  const caller = principals.peek(token)
  if (caller === null) return 'invalid_token'
  return caller ?? lookUp(token, principals)
}

async function lookUp(token: string, principals: PrincipalCache): Promise<Caller | RefusalCode> {
  return (await principals.find(token)) ?? 'invalid_token'
}
