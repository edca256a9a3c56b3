import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { binary, json } from '#tools/sample-provider/answer.ts'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import { readForm } from './form.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'

const maxFiles = 1_000

const UploadFields = z.looseObject({
  purpose: z.enum(['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals']),
})
const ListQuery = z.looseObject({ purpose: z.string().optional() })

/** Files, kept in memory. */
export const fileRoutes = (app: FastifyInstance): void => {
  const files = new Map<string, { data: Buffer; file: { id: string; purpose: string } }>()
  const find = (id = '') => {
    const found = files.get(id)
    if (found) return found
    throw new ProviderError(404, `No such File object: ${id}`, { param: 'id' })
  }

  route(app, 'POST', '/v1/files', async ({ request }) => {
    const { fields, file: upload } = await readForm(request)
    const { purpose } = parseBody(UploadFields, fields)
    if (files.size === maxFiles) throw new ProviderError(400, 'The sample provider holds no more files. Delete some.')
    const file = {
      id: `file-${randomBytes(12).toString('hex')}`,
      object: 'file',
      bytes: upload.data.length,
      created_at: Math.floor(Date.now() / 1_000),
      filename: upload.filename,
      purpose,
      status: 'processed',
    }
    files.set(file.id, { file, data: upload.data })
    return json(file)
  })

  route(app, 'GET', '/v1/files', ({ query }) => {
    const { purpose } = parseBody(ListQuery, query)
    const all = Array.from(files.values(), ({ file }) => file)
    const data = all.filter((file) => purpose === undefined || file.purpose === purpose)
    return json({ object: 'list', data, has_more: false })
  })

  route(app, 'GET', '/v1/files/:id', ({ params: { id } }) => json(find(id).file))

  route(app, 'GET', '/v1/files/:id/content', ({ params: { id } }) => binary(find(id).data, 'application/octet-stream'))

  route(app, 'DELETE', '/v1/files/:id', ({ params: { id } }) => {
    files.delete(find(id).file.id)
    return json({ id, object: 'file', deleted: true })
  })
}
