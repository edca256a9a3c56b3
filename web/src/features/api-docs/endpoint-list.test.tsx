import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { endpoints } from '#schemas/endpoints.ts'
import { EndpointList } from './endpoint-list.tsx'

it('shows every endpoint that has a description', () => {
  const page = renderToStaticMarkup(<EndpointList />)
  const described = endpoints.filter(({ documentation }) => documentation?.description)
  expect(described).toHaveLength(4)
  for (const { path, documentation } of described) {
    expect(page).toContain(`/api/proxy${path}`)
    expect(page).toContain(documentation?.description)
  }
})
