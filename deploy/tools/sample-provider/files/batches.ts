import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { json } from '#tools/sample-provider/answer.ts'
import { batchEndpoints, parseBatch, runBatch, type BatchEndpoint, type LineError } from './batch-run.ts'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import type { FileStore } from './file-store.ts'
import { PageQuery, toPage } from '#tools/sample-provider/pages.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'

const maxBatches = 1_000
const windowSeconds = 24 * 60 * 60

const BatchRequest = z.looseObject({
  input_file_id: z.string(),
  endpoint: z.enum(Object.keys(batchEndpoints) as [BatchEndpoint, ...BatchEndpoint[]]),
  completion_window: z.literal('24h'),
  metadata: z.record(z.string(), z.string()).nullish(),
})

const openBatch = (request: z.infer<typeof BatchRequest>, createdAt: number) => ({
  id: `batch_${randomBytes(12).toString('hex')}`,
  object: 'batch',
  endpoint: request.endpoint,
  errors: null as { object: 'list'; data: LineError[] } | null,
  input_file_id: request.input_file_id,
  completion_window: request.completion_window,
  status: 'validating',
  output_file_id: null as string | null,
  error_file_id: null as string | null,
  created_at: createdAt,
  in_progress_at: null as number | null,
  expires_at: createdAt + windowSeconds,
  finalizing_at: null as number | null,
  completed_at: null as number | null,
  failed_at: null as number | null,
  expired_at: null,
  cancelling_at: null as number | null,
  cancelled_at: null as number | null,
  request_counts: { total: 0, completed: 0, failed: 0 },
  metadata: request.metadata ?? null,
})
type Batch = ReturnType<typeof openBatch>

/** Runs a batch to its end: every line is answered as its endpoint would. */
const finish = (batch: Batch, files: FileStore, at: number): void => {
  const { lines, errors } = parseBatch(files.read(batch.input_file_id), batch.endpoint)
  if (errors.length > 0 || lines.length === 0) {
    Object.assign(batch, { status: 'failed', failed_at: at, errors: { object: 'list', data: errors } })
    return
  }
  const { outputs, failures } = runBatch(lines, batch.endpoint)
  const save = (kind: string, results: string[]): string | null =>
    results.length === 0
      ? null
      : files.add(`${batch.id}_${kind}.jsonl`, 'batch_output', Buffer.from(`${results.join('\n')}\n`)).id
  Object.assign(batch, {
    status: 'completed',
    in_progress_at: at,
    finalizing_at: at,
    completed_at: at,
    output_file_id: save('output', outputs),
    error_file_id: save('error', failures),
    request_counts: { total: lines.length, completed: outputs.length, failed: failures.length },
  })
}

/** Batches move on when they are looked at: one second after its start a batch is done. `now` is in ms. */
export const batchRoutes = (app: FastifyInstance, files: FileStore, now: () => number): void => {
  const batches = new Map<string, Batch>()
  const seconds = () => Math.floor(now() / 1_000)

  const look = (id: string): Batch => {
    const batch = batches.get(id)
    if (!batch) throw new ProviderError(404, `No batch found with id '${id}'.`)
    const at = seconds()
    if (batch.status === 'validating' && at > batch.created_at) finish(batch, files, at)
    else if (batch.status === 'cancelling') Object.assign(batch, { status: 'cancelled', cancelled_at: at })
    return batch
  }

  route(app, 'POST', '/v1/batches', ({ body }) => {
    const request = parseBody(BatchRequest, body)
    files.get(request.input_file_id)
    if (batches.size >= maxBatches) throw new ProviderError(400, 'The sample provider holds no more batches.')
    const batch = openBatch(request, seconds())
    batches.set(batch.id, batch)
    return json(batch)
  })

  route(app, 'GET', '/v1/batches', ({ query }) =>
    json(toPage([...batches.keys()].map(look), parseBody(PageQuery, query))),
  )

  route(app, 'GET', '/v1/batches/:id', ({ params: { id = '' } }) => json(look(id)))

  route(app, 'POST', '/v1/batches/:id/cancel', ({ params: { id = '' } }) => {
    const batch = look(id)
    if (batch.status !== 'validating') {
      throw new ProviderError(400, `Cannot cancel a batch with status '${batch.status}'.`)
    }
    return json(Object.assign(batch, { status: 'cancelling', cancelling_at: seconds() }))
  })
}
