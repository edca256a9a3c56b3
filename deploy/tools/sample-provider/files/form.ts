import type { FastifyRequest } from 'fastify'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import { exchangeOf } from '#tools/sample-provider/exchange.ts'

export interface UploadedFile {
  filename: string
  data: Buffer
}

/** The fields of a multipart body and its one file. The file's size is bounded where the parser is registered. */
export const readForm = async (request: FastifyRequest): Promise<{ fields: unknown; file: UploadedFile }> => {
  if (!request.isMultipart()) {
    throw new ProviderError(
      400,
      `Unsupported content type: '${request.headers['content-type']}'. This API method only accepts 'multipart/form-data' requests.`,
      { code: 'unsupported_content_type' },
    )
  }
  const { record } = exchangeOf(request)
  request.raw.on('data', (bytes: Buffer) => {
    record.bodyBytes += bytes.length
  })
  const fields: Record<string, unknown> = {}
  let file: UploadedFile | undefined
  for await (const part of request.parts()) {
    if (part.type === 'field') fields[part.fieldname] = part.value
    else file = { filename: part.filename, data: await part.toBuffer() }
  }
  if (file) return { fields, file }
  throw new ProviderError(400, "Missing required parameter: 'file'.", {
    param: 'file',
    code: 'missing_required_parameter',
  })
}
