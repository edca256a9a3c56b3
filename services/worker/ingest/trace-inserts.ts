import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { messageOf } from '#core/errors.ts'
import type { InsertResult } from './report.ts'

/** Records a span per insert, by OpenTelemetry's semantic conventions for databases. Call it after the insert. */
export const traceInserts =
  (tracer: Tracer) =>
  ({ rows, ms, error }: InsertResult): void => {
    const attributes = {
      'db.system.name': 'clickhouse',
      'db.operation.name': 'INSERT',
      'db.operation.batch.size': rows,
      'db.collection.name': 'request_logs',
    }
    const startTime = Date.now() - ms
    const span = tracer.startSpan('INSERT request_logs', { kind: SpanKind.CLIENT, startTime, attributes })
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) })
    span.end()
  }
