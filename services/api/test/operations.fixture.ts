import { z } from 'zod'
import type { TestApi } from './api.fixture.ts'
import { Operation } from './arbitrary-input.fixture.ts'

const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
const Method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The documented operations of the control plane. */
export async function controlPlaneOperations({ app }: TestApi) {
  const { paths } = Document.parse((await app.inject('/api/openapi.json')).json())
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/api/proxy/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: Method.parse(method.toUpperCase()),
        path,
        operation,
      })),
    )
}
