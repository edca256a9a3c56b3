import { findMembersInTurns } from '../request/json/find-members.ts'

/** Each of these makes the provider keep something, or refers to what it has kept. */
const statefulMembers = ['store', 'background', 'conversation', 'previous_response_id', 'container'] as const

/** The Responses API keeps what it generates unless `store` is `false`. */
const storesByDefault = '/v1/responses'

/**
 * Whether a request changes what the provider keeps, or depends on it: product.md 5.9.
 * @param body one that is not the JSON of an object has no such members
 */
export async function isStatefulRequest(endpoint: string, body: Buffer): Promise<boolean> {
  const members = await findMembersInTurns(body, statefulMembers)
  if (endpoint === storesByDefault && valueOf('store') !== 'false') return true
  return statefulMembers.some((name) => !['', 'null', 'false'].includes(valueOf(name)))

  /** @returns the beginning of the value; empty when there is none */
  function valueOf(name: (typeof statefulMembers)[number]): string {
    const member = members?.[name]
    if (!member) return ''
    return member.count > 1 ? 'ambiguous' : body.toString('latin1', member.from, Math.min(member.to, member.from + 6))
  }
}
