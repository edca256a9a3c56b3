import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { ObjectKeys } from '../keys/object-keys.ts'
import type { RetryPlan } from '../keys/retry-plan.ts'
import type { ReceivedRequest, RequestLogBuilder } from '../log/request-log-builder.ts'
import type { ClientSink } from '../response/client-sink.ts'
import type { OpenRequest } from '../spool/segment.ts'
import type { Spool } from '../spool/spool.ts'

/** The part of a budget that a request may use. */
interface SpendingLimit {
  /** @param tokens of a stream so far, estimated from its pieces @returns whether they exceed it */
  recordTokens(tokens: number): boolean
  /** @returns whether the request may continue */
  extend(): Promise<boolean>
}

/** The whole response to an attempt, after which the request was sent with another key. */
interface EarlierResponse {
  /** Sends it to the client. */
  relay(): void
}

export interface ProxiedRequest {
  received: ReceivedRequest
  response: ServerResponse
  sink: ClientSink
  plan: RetryPlan
  log: RequestLogBuilder
  recorder: Pick<Spool, 'confirm'>
  begun: OpenRequest
  dispatcher: Dispatcher
  hop: string
  /** The gateway's response headers: name, value, name, value … */
  headers: readonly string[]
  objects: ObjectKeys
  /** Undefined for a token without a budget. */
  reservation: SpendingLimit | undefined
  /** The last one that did not reject its key. */
  earlier: EarlierResponse | undefined
}
