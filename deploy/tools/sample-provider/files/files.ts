import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { binary, json } from '#tools/sample-provider/answer.ts'
import type { FileStore } from './file-store.ts'
import { readForm } from './form.ts'
import { PageQuery, toPage } from '#tools/sample-provider/pages.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'

const UploadFields = z.looseObject({
  purpose: z.enum(['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals']),
})

export const fileRoutes = (app: FastifyInstance, files: FileStore): void => {
  route(app, 'POST', '/v1/files', async ({ request }) => {
    const { fields, file } = await readForm(request)
    const { purpose } = parseBody(UploadFields, fields)
    return json(files.add(file.filename, purpose, file.data))
  })

  route(app, 'GET', '/v1/files', ({ query }) => {
    const page = parseBody(PageQuery, query)
    const wanted = files.list().filter((file) => page.purpose === undefined || file.purpose === page.purpose)
    return json(toPage(wanted, page))
  })

  route(app, 'GET', '/v1/files/:id', ({ params: { id = '' } }) => json(files.get(id)))

  route(app, 'GET', '/v1/files/:id/content', ({ params: { id = '' } }) =>
    binary(files.read(id), 'application/octet-stream'),
  )

  route(app, 'DELETE', '/v1/files/:id', ({ params: { id = '' } }) => {
    files.remove(id)
    return json({ id, object: 'file', deleted: true })
  })
}
