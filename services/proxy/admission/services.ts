import type { ClientAddressOf } from '#shared/client-address.ts'
import type { Authenticate } from '../auth/authenticate.ts'
import type { UpstreamPools } from '../forward/upstream-pools.ts'
import type { KeyHealth } from '../keys/key-health.ts'
import type { FoldedLogs } from '../log/folded-logs.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import type { Hops } from '../request/hops.ts'
import type { RequestLimits } from '../request/request-share.ts'
import type { Spool } from '../spool/spool.ts'
import type { RequestObserver } from '../telemetry/metrics.ts'
import type { RequestTrace } from '../log/request-trace.ts'
import type { Limiter } from './limiter.ts'

/** Services that HTTP requests and WebSockets share. */
export interface RequestServices {
  clientAddressOf: ClientAddressOf
  authenticate: Authenticate
  hops: Hops
  pools: UpstreamPools
  recorder: Pick<Spool, 'begin' | 'confirm' | 'end'>
  foldedLogs: FoldedLogs
  limiter: Limiter
  requestLimits: RequestLimits
  health: KeyHealth
  logFailure: (error: unknown, requestId: string) => void
  observer: RequestObserver
  /** Undefined when tracing is disabled. */
  startTrace: ((received: ReceivedRequest) => RequestTrace) | undefined
  /** Whether the process is shutting down and cutting off requests in flight. */
  isCutting: () => boolean
}
