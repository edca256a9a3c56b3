import { expect, it } from 'vitest'
import { changeAnalytics } from './analytics-search.ts'

it('leaves out bars that show requests, as they do by default', () => {
  const search = changeAnalytics({ bars: { models: 'cost' } }, { bars: { models: 'cost', keys: 'requests' } })
  expect(search).toEqual({ bars: { models: 'cost' } })
  expect(changeAnalytics(search, { bars: { models: 'requests' } })).toEqual({})
})
