import { findMembersInTurns, type Member } from '../request/json/find-members.ts'
import { pauseBytes } from '../request/json/visit-members.ts'

/** Each of these makes the provider keep something, or refers to what it has kept. */
const keptMembers = ['store', 'background', 'conversation', 'previous_response_id', 'container'] as const

/** With each of these the provider searches, or asks another server, while it responds. */
const searchMembers = [
  'data_sources',
  'enable_search',
  'mcp_servers',
  'plugins',
  'search_parameters',
  'web_search_options',
] as const

const statefulMembers = [...keptMembers, ...searchMembers] as const

/** The Responses API keeps what it generates unless `store` is `false`, and its `prompt` names a stored one. */
const responses = /\/responses$/

/** The client itself runs these tools. */
const clientTools = new Set(['function', 'custom'])

/** Models of OpenAI, Perplexity and OpenRouter that search before they respond, without a tool in the request. */
const searchModels = /-search-(?:preview|api)|deep-research|(?:^|\/)sonar|:online$/i

export const searchesByItself = (model: string | null): boolean => model !== null && searchModels.test(model)

/**
 * Whether a request changes what the provider keeps, or its response depends on more than the request: product.md 5.9.
 * @param body one that is not the JSON of an object has no such members
 */
export async function isStatefulRequest(endpoint: string, body: Buffer): Promise<boolean> {
  const members = await findMembersInTurns(body, [...statefulMembers, 'prompt', 'tools'])
  if (responses.test(endpoint) && (valueOf('store') !== 'false' || isSet('prompt'))) return true
  return statefulMembers.some(isSet) || hasHostedTool(members?.tools)

  function isSet(name: keyof NonNullable<typeof members>): boolean {
    return !['', 'null', 'false'].includes(valueOf(name))
  }

  /** @returns the beginning of the value; empty when there is none */
  function valueOf(name: keyof NonNullable<typeof members>): string {
    const member = members?.[name]
    if (!member) return ''
    return member.count > 1 ? 'ambiguous' : body.toString('latin1', member.from, Math.min(member.to, member.from + 6))
  }

  /** Tools of which too little is known count as hosted. */
  function hasHostedTool(member: Member | undefined): boolean {
    if (!member) return false
    const { from, to, count } = member
    if (count > 1 || to - from > pauseBytes) return true
    const tools: unknown = JSON.parse(body.toString('utf8', from, to))
    return tools !== null && !(Array.isArray(tools) && tools.every(isClientTool))
  }
}

/** The type may be missing in Anthropic's API, whose own tools have one. */
const isClientTool = (tool: { type?: unknown } | null): boolean =>
  clientTools.has(String(tool?.type)) || (tool?.type === undefined && Object.hasOwn(tool ?? {}, 'input_schema'))
