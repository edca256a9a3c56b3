import { z } from 'zod'

/** The query of OpenAI's cursor pages. */
export const PageQuery = z.looseObject({
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
  order: z.enum(['asc', 'desc']).default('desc'),
  purpose: z.string().optional(),
})
type PageQuery = z.infer<typeof PageQuery>

/** One page of `items`, which are ordered oldest first. */
export const toPage = <Item extends { id: string }>(items: Item[], { after, limit, order }: PageQuery) => {
  const ordered = order === 'asc' ? items : items.toReversed()
  const start = after === undefined ? 0 : ordered.findIndex((item) => item.id === after) + 1
  const data = ordered.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  }
}
