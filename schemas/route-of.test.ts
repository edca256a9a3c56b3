import { expect, test } from 'vitest'
import { routeOf } from './route-of.ts'

test.each([
  ['/v1/files/file-abc123/content', '/v1/files/{id}/content'],
  ['/v1/models/gpt-4o-2024-11-20', '/v1/models/gpt-4o-2024-11-20'],
  // What is cut off would have made it no identifier.
  [`/v1/files/${'a1'.repeat(32)}%20`, '/v1/files/{id}'],
])('the route of %s is %s, and a filter by it finds it', (endpoint, route) => {
  expect(routeOf(endpoint)).toBe(route)
  expect(routeOf(route)).toBe(route)
})
