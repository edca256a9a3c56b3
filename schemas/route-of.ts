/** A segment with a digit that either is long or has a prefix, as in `file-abc123`. */
const identifier = /^(?:(?=.*\d)[\w.:-]{16,}|[a-z]+[-_](?=.*\d)[\w-]{6,})$/i

/** The endpoint without identifiers (`/v1/files/{id}/content`), so that rollups stay small. Model names are kept. */
export function routeOf(endpoint: string): string {
  const segments = endpoint.split('/', 7).map((segment) => segment.slice(0, 64))
  const isModel = segments[2] === 'models'
  return segments.map((segment) => (!isModel && identifier.test(segment) ? '{id}' : segment)).join('/')
}
