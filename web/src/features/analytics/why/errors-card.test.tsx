import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ErrorGroups } from '#schemas/analytics-errors.ts'
import { errorGroupsQuery } from '../analytics-queries.ts'
import { ErrorsCard } from './errors-card.tsx'

it.each([
  [true, 'No errors in this range.'],
  [false, 'There are too many different messages to count them all.'],
])('without a counted error, if all were counted: %s, it says: %s', (isComplete, text) => {
  const data: ErrorGroups = {
    from: '2026-11-20T12:00:00.000Z',
    to: '2026-11-20T13:00:00.000Z',
    availableFrom: '2026-11-01T00:00:00.000Z',
    errors: 0,
    groups: [],
    others: { groups: 0, errors: 0 },
    isComplete,
  }
  const client = new QueryClient()
  client.setQueryData(errorGroupsQuery({}).queryKey, data)
  const card = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ErrorsCard filters={{}} />
    </QueryClientProvider>,
  )
  expect(card.match(/No errors in this range\.|There are too many different messages to count them all\./g)).toEqual([
    text,
  ])
})
