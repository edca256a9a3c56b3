import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { product } from '#schemas/product.ts'
import { refusedStatus } from '#core/http-guard.ts'
import { authenticateToken } from './authenticate.ts'
import type { PrincipalCache } from './principal-cache.ts'
import { isWebSocket, readProtocols, refuseUpgrade } from './realtime-handshake.ts'
import { RealtimeSession } from './realtime-session.ts'
import type { ServeOptions } from './serve.ts'
import { parseTarget } from './target.ts'
import { mayComeFrom, mayUseModel } from './token-bounds.ts'

const endpoint = '/v1/realtime'

export interface RealtimeOptions extends ServeOptions {
  principals: PrincipalCache
}

export interface Realtime {
  /** For the server's `upgrade` event. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends every open session. */
  close(): void
}

/** WebSockets to the provider, authenticated and limited like every other request. Other upgrades are refused. */
export function createRealtime(options: RealtimeOptions): Realtime {
  const { authenticate, principals, recorder, limiter, health, pools, clientAddressOf, logger } = options
  const open = new Set<RealtimeSession>()

  async function upgrade(id: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const arrivedAt = performance.now()
    const target = request.url?.startsWith(`${product.proxyPath}/v1/`) ? parseTarget(request.url) : undefined
    if (refusedStatus(request) || target?.endpoint !== endpoint || !isWebSocket(request)) {
      return refuseUpgrade(socket, 'upgrade_not_supported', id)
    }
    const { protocols, token } = readProtocols(request)
    if (token !== undefined && request.headers.authorization !== undefined) {
      return refuseUpgrade(socket, 'ambiguous_credentials', id)
    }
    const caller = await (token === undefined ? authenticate(request) : authenticateToken(token, principals))
    if (typeof caller === 'string') {
      options.observer.refused(caller)
      return refuseUpgrade(socket, caller, id)
    }
    // Named twice it could be read in two ways, so it is none.
    const models = new URLSearchParams(target.pathAndQuery.split('?')[1]).getAll('model')
    const model = models.length === 1 ? models[0]! : null
    const facts = { model, isStream: true, bodyWithUsage: undefined }
    const clientAddress = clientAddressOf(request)
    const received = { id, request, clientAddress, caller, target, body: undefined, facts }
    const session = new RealtimeSession({
      ...received,
      socket,
      head,
      protocols,
      arrivedAt,
      recorder,
      health,
      onStart: () => options.observer.started(),
      onFinish(event) {
        open.delete(session)
        options.observer.finished(event)
      },
    })
    if (!mayComeFrom(caller, clientAddress)) return session.refuse('address_not_allowed')
    if (!mayUseModel(caller, model)) return session.refuse('model_not_allowed')
    if (caller.keys.length === 0) return session.refuse('no_active_key')
    const limits = await limiter.check(caller)
    if (limits.refusal) return session.refuse(limits.refusal, limits.headers)
    open.add(session)
    session.open(pools.get(caller.accountId, caller.origin))
  }

  return {
    onUpgrade(request, socket, head) {
      const id = uuidv7()
      socket.on('error', () => socket.destroy())
      upgrade(id, request, socket, head).catch((error: unknown) => {
        logger.error({ err: error, requestId: id }, 'an upgrade failed')
        refuseUpgrade(socket, 'unavailable', id)
      })
    },
    close() {
      for (const session of open) session.close()
    },
  }
}
