/** The parts of an operation that the document adds to. */
interface Operation {
  operationId?: string
  security?: unknown[]
  responses?: Record<string, unknown>
}

type Paths = Record<string, Record<string, Operation>>

/** Names of the responses that every call of the control plane can have, by their range of status codes. */
const sharedErrors = { '4XX': 'Rejected', '5XX': 'Failed' } as const

/**
 * Replaces errors, which are the same for every call, by references: half of the document, and one type in clients that
 * are generated from it.
 * @returns the responses referred to
 */
export function shareErrors(paths: Paths): Record<string, unknown> {
  const shared: Record<string, unknown> = {}
  for (const { responses = {} } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, name] of Object.entries(sharedErrors)) {
      if (!(status in responses)) continue
      shared[name] ??= responses[status]
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

/** Names each operation, as generators of clients require, and says that those without a credential need none. */
export function nameOperations(paths: Paths): void {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operation.operationId ??= operationIdOf(method, path)
      operation.security ??= []
    }
  }
}

/** `PUT /api/keys/{id}/primary` is `putKeysByIdPrimary`. */
const operationIdOf = (method: string, path: string) =>
  method +
  path
    .replace(/^\/api/, '')
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .replaceAll(/[/.-]+(\w)/g, (_match, letter: string) => letter.toUpperCase())
