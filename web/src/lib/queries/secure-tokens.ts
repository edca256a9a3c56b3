import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { SecureToken } from '#schemas/secure-tokens.ts'
import { nullIfUnauthorized, send } from '../api.ts'

export const secureTokensPath = '/api/tokens'

const pageSize = 50

type TokenPage = { tokens: SecureToken[]; total: number; next: string | null }

async function fetchTokens(params: Record<string, string>, signal?: AbortSignal): Promise<TokenPage> {
  const query = new URLSearchParams(params).toString()
  // A header, because the first call has no parameters. Source: product.md 8.7.
  const headers = { Prefer: `maxpagesize=${pageSize}` }
  const response = await send('GET', query ? `${secureTokensPath}?${query}` : secureTokensPath, {
    headers,
    ...(signal && { signal }),
  })
  const tokens = z.array(SecureToken).parse(await response.json())
  return {
    tokens,
    total: Number(response.headers.get('x-total-count') ?? tokens.length),
    next: response.headers.get('x-next-cursor'),
  }
}

/** The tokens of all pages that were loaded, and whether there were more than the first page. */
function joinPages({ pages }: InfiniteData<TokenPage | null>) {
  const [first] = pages
  if (!first) return null
  const tokens = pages.flatMap((page) => page?.tokens ?? [])
  return { tokens, total: first.total, isPaged: first.next !== null }
}

/** Tokens with the text in their names, page by page; `null` without a session. */
export const secureTokensQuery = (search = '') =>
  infiniteQueryOptions({
    queryKey: search === '' ? [secureTokensPath] : [secureTokensPath, { search }],
    queryFn: ({ pageParam: cursor, signal }) =>
      nullIfUnauthorized(fetchTokens({ ...(search && { search }), ...(cursor && { cursor }) }, signal)),
    initialPageParam: '',
    getNextPageParam: (page) => page?.next,
    select: joinPages,
    ...(search !== '' && { gcTime: 15_000 }),
  })

let batch: { ids: string[]; reading: Promise<TokenPage> } | undefined

/** Reads a token in one call with others that are wanted in the same moment. */
async function readToken(id: string): Promise<SecureToken | null> {
  if (!batch || batch.ids.length === pageSize) {
    const ids: string[] = []
    const moment = new Promise((resolve) => setTimeout(resolve))
    const reading = moment.then(() => {
      if (batch?.ids === ids) batch = undefined
      return fetchTokens({ id: ids.join(',') })
    })
    batch = { ids, reading }
  }
  batch.ids.push(id)
  const { tokens } = await batch.reading
  return tokens.find((token) => token.id === id) ?? null
}

/** `null` if the token was deleted. */
export const secureTokenQuery = (id: string) =>
  queryOptions({ queryKey: [secureTokensPath, { id }], queryFn: () => readToken(id) })
