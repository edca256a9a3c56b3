import { findMembersInTurns, type Member } from '../request/json/find-members.ts'
import { pauseBytes } from '../request/json/visit-members.ts'

/** Members that make the provider store something, or refer to something stored. */
const keptMembers = [
  'store',
  'background',
  'conversation',
  'previous_response_id',
  'container',
  'cachedContent',
  'cached_content',
] as const

/** Members that make the provider search, or call another server, while it responds. */
const searchMembers = [
  'data_sources',
  'enable_search',
  'mcp_servers',
  'plugins',
  'search_parameters',
  'web_search_options',
] as const

const statefulMembers = [...keptMembers, ...searchMembers] as const

/** The Responses API stores its output unless `store` is `false`, and `prompt` refers to a stored prompt. */
const responses = /\/responses$/

/** Tools that the client runs. */
const clientTools = new Set(['function', 'custom'])

/** Models of OpenAI, Perplexity and OpenRouter that search without a tool in the request. */
const searchModels = /-search-(?:preview|api)|deep-research|(?:^|\/)sonar|:online$/i

export const searchesByItself = (model: string | null): boolean => model !== null && searchModels.test(model)

/**
 * Whether a request changes stored state at the provider, or its response depends on more than the request. Source:
 * product.md 5.9.
 * @param body anything but a JSON object has no such members
 */
export async function isStatefulRequest(endpoint: string, body: Buffer): Promise<boolean> {
  const members = await findMembersInTurns(body, [...statefulMembers, 'prompt', 'tools'])
  if (responses.test(endpoint) && (valueOf('store') !== 'false' || isSet('prompt'))) return true
  return statefulMembers.some(isSet) || hasHostedTool(members?.tools)

  function isSet(name: keyof NonNullable<typeof members>): boolean {
    return !['', 'null', 'false'].includes(valueOf(name))
  }

  /** @returns the beginning of the value; empty if absent */
  function valueOf(name: keyof NonNullable<typeof members>): string {
    const member = members?.[name]
    if (!member) return ''
    return member.count > 1 ? 'ambiguous' : body.toString('latin1', member.from, Math.min(member.to, member.from + 6))
  }

  /** Tools that are too long to parse, or given twice, count as hosted. */
  function hasHostedTool(member: Member | undefined): boolean {
    if (!member) return false
    const { from, to, count } = member
    if (count > 1 || to - from > pauseBytes) return true
    const tools: unknown = JSON.parse(body.toString('utf8', from, to))
    return tools !== null && !(Array.isArray(tools) && tools.every(isClientTool))
  }
}

/** Anthropic's API allows client tools without a type; its hosted tools have one. Google's are named by their members. */
const isClientTool = (tool: { type?: unknown } | null): boolean =>
  clientTools.has(String(tool?.type)) ||
  (tool?.type === undefined && Object.hasOwn(tool ?? {}, 'input_schema')) ||
  /^function_?declarations$/i.test(Object.keys(tool ?? {}).join())
