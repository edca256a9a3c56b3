import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ProviderError } from './errors.ts'
import { receivedOf } from './received-request.ts'
import { binary, json } from './response.ts'
import { missingParameter, parseBody, route, unsupportedType } from './route.ts'

const maxFiles = 1_000

const UploadFields = z.looseObject({ purpose: z.string() })
const ListQuery = z.looseObject({ purpose: z.string().optional() })

/** Reads the fields of a multipart body and its only file. The parser's registration limits the file's size. */
export async function readForm(request: FastifyRequest) {
  if (!request.isMultipart()) throw unsupportedType(request.headers['content-type'])
  const { record } = receivedOf(request)
  request.raw.on('data', (bytes: Buffer) => (record.bodyBytes += bytes.length))
  const fields: Record<string, unknown> = {}
  let file: { filename: string; data: Buffer } | undefined
  for await (const part of request.parts()) {
    if (part.type === 'field') fields[part.fieldname] = part.value
    else file = { filename: part.filename, data: await part.toBuffer() }
  }
  if (!file) throw missingParameter('file')
  return { fields, file }
}

/** Files are kept in memory. */
export function fileRoutes(app: FastifyInstance): void {
  const files = new Map<string, { data: Buffer; file: { purpose: string } }>()
  const find = (id: string) => {
    const found = files.get(id)
    if (found) return found
    throw new ProviderError(404, `No such File object: ${id}`, { param: 'id' })
  }
  route(app, 'POST', '/v1/files', async ({ request }) => {
    const { fields, file: upload } = await readForm(request)
    const { purpose } = parseBody(UploadFields, fields)
    if (files.size === maxFiles) throw new ProviderError(400, 'The sample provider holds no more files. Delete some.')
    const id = `file-${randomBytes(12).toString('hex')}`
    const { data, filename } = upload
    const created_at = Math.floor(Date.now() / 1_000)
    const file = { id, object: 'file', bytes: data.length, created_at, filename, purpose, status: 'processed' }
    files.set(id, { file, data })
    return json(file)
  })
  route(app, 'GET', '/v1/files', ({ query }) => {
    const { purpose } = parseBody(ListQuery, query)
    const all = Array.from(files.values(), ({ file }) => file)
    const data = all.filter((file) => purpose === undefined || file.purpose === purpose)
    return json({ object: 'list', data, has_more: false })
  })
  route(app, 'GET', '/v1/files/:id', ({ id }) => json(find(id).file))
  route(app, 'GET', '/v1/files/:id/content', ({ id }) => binary(find(id).data))
  route(app, 'DELETE', '/v1/files/:id', ({ id }) => {
    find(id)
    files.delete(id)
    return json({ id, object: 'file', deleted: true })
  })
}
