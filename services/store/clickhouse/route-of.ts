/** An identifier rather than a word of the API: it has a digit and is long, or a prefix as in `file-abc`. */
const identifier = /^(?:(?=.*\d)[\w.:-]{16,}|[a-z]+[-_](?=.*\d)[\w-]{6,})$/i

/**
 * The endpoint with identifiers taken out (`/v1/files/{id}/content`), so that rollups stay small whatever clients
 * ask for. Model names are words of the API and stay.
 */
export function routeOf(endpoint: string): string {
  const segments = endpoint.split('/').slice(0, 7)
  const isModel = segments[2] === 'models'
  return segments.map((segment) => (!isModel && identifier.test(segment) ? '{id}' : segment.slice(0, 64))).join('/')
}
