import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import type { CredentialWatch } from '#shared/credential-watch.ts'
import { product } from '#schemas/product.ts'
import { refusedStatus } from '#core/http/http-guard.ts'
import { admit, type Rejection } from '../admission/admit.ts'
import { authenticateToken } from '../auth/authenticate.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import type { CredentialCache } from '../auth/credential-cache.ts'
import { isWebSocket, readProtocols, rejectUpgrade } from './handshake.ts'
import { RealtimeSession } from './session.ts'
import { RequestTiming } from '../log/request-timing.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import type { ServeOptions } from '../handle-request.ts'
import { modelsInQuery, parseTarget } from '../request/target.ts'
import { isAddressAllowed, isModelAllowed } from '../auth/token-restrictions.ts'

const endpoint = '/v1/realtime'

export interface RealtimeOptions extends ServeOptions {
  credentials: CredentialCache
  credentialWatch: CredentialWatch
}

export interface Realtime {
  /** For the server's `upgrade` event. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends every open session. */
  close(): void
}

interface Upgrade {
  id: string
  request: IncomingMessage
  socket: Duplex
  /** What the client sent behind its handshake. */
  head: Buffer
}

/** WebSockets to the provider, authenticated and limited like every other request. Other upgrades are refused. */
export function createRealtime(options: RealtimeOptions): Realtime {
  const { authenticate, credentials, hops, recorder, limiter, health, pools, clientAddressOf, logger } = options
  const open = new Set<RealtimeSession>()

  async function upgrade({ id, request, socket, head }: Upgrade): Promise<void> {
    const timing = new RequestTiming(performance.now())
    const target = request.url?.startsWith(`${product.proxyPath}/v1/`) ? parseTarget(request.url) : undefined
    if (refusedStatus(request) || target?.endpoint !== endpoint || !isWebSocket(request)) {
      return rejectUpgrade(socket, 'upgrade_not_supported', id)
    }
    if (hops.hasPassed(request.headers)) return rejectUnknown(socket, 'loop_detected', id)
    const { protocols, token } = readProtocols(request)
    if (token !== undefined && request.headers.authorization !== undefined) {
      return rejectUpgrade(socket, 'ambiguous_credentials', id)
    }
    const identify = async () => (token === undefined ? authenticate(request) : authenticateToken(token, credentials))
    const account = await identify()
    if (typeof account === 'string') return rejectUnknown(socket, account, id)
    const [model = null, ...others] = modelsInQuery(target)
    if (others.length > 0) return rejectUpgrade(socket, 'ambiguous_model', id)
    const metadata = { model, isStream: true, bodyWithUsage: undefined }
    const clientAddress = clientAddressOf(request)
    const received: ReceivedRequest = { id, request, clientAddress, account, target, body: undefined, metadata }
    const admission = await admit(account, clientAddress, options)
    if ('code' in admission) return reject(received, socket, timing, admission)
    const { share, decision } = admission
    const giveBack = () => {
      share.release()
      limiter.refund(account, decision)
    }
    if (!isModelAllowed(account, model)) {
      giveBack()
      return reject(received, socket, timing, { code: 'model_not_allowed', headers: [] })
    }
    const session = new RealtimeSession({
      ...received,
      socket,
      head,
      protocols,
      timing,
      recorder,
      health,
      hop: hops.next(request.headers),
      isCutting: options.isCutting,
      onFinish(event) {
        stopWatching()
        open.delete(session)
        if (event.attempts > 0) share.release()
        else giveBack()
        options.observer.finished(event)
      },
      onError: (error) => logger.error({ err: error, requestId: id }, 'a session failed'),
    })
    const stopWatching = options.credentialWatch.watch({
      accountId: account.accountId,
      expiresAt: account.expiresAt,
      async isStillValid() {
        const now = await identify()
        return typeof now !== 'string' && isAddressAllowed(now, clientAddress) && isModelAllowed(now, model)
      },
      end: () => session.close(),
    })
    open.add(session)
    try {
      session.open(pools.get(account.accountId, account.origin))
    } catch (error) {
      stopWatching()
      open.delete(session)
      giveBack()
      throw error
    }
  }

  function rejectUnknown(socket: Duplex, code: ErrorCode, id: string): void {
    options.observer.refused(code)
    rejectUpgrade(socket, code, id)
  }

  async function reject(received: ReceivedRequest, socket: Duplex, timing: RequestTiming, rejection: Rejection) {
    const { code, headers } = rejection
    await options.localResponses.recordRejection(received, timing, code)
    rejectUpgrade(socket, code, received.id, headers)
  }

  return {
    onUpgrade(request, socket, head) {
      const id = uuidv7()
      socket.on('error', () => socket.destroy())
      upgrade({ id, request, socket, head }).catch((error: unknown) => {
        logger.error({ err: error, requestId: id }, 'an upgrade failed')
        rejectUpgrade(socket, 'unavailable', id)
      })
    },
    close() {
      for (const session of open) session.close()
    },
  }
}
