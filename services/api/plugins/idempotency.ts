import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { z } from 'zod'
import { Problem } from '#core/problem.ts'
import type { Redis } from '#core/redis/redis.ts'
import { day, minute } from '#core/units.ts'
import type { SecretContext, Vault } from '#shared/vault.ts'
import type { Throttle } from '../sign-in/throttle.ts'

/** How long a response is kept, and how long a key is reserved for a call that has not finished. */
const keptMs = day
const pendingMs = 2 * minute

const Key = z.string().regex(/^[\x21-\x7e]{1,255}$/)

const StoredResponse = z.object({ fingerprint: z.string(), status: z.number(), body: z.string() })

interface IdempotencyOptions {
  state: Redis
  vault: Vault
  throttle: Throttle
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a call with an `Idempotency-Key`: where its response will be kept. */
    idempotency?: { id: string; fingerprint: string }
  }
}

const isCreating = ({ method, schema }: RouteOptions) =>
  method === 'POST' && typeof schema?.response === 'object' && schema.response !== null && '201' in schema.response

/**
 * A POST that creates something may carry an `Idempotency-Key`: sent again with the same key, it gets the first
 * response and creates nothing. A failed call may be retried with its key. If it has created something nevertheless, as
 * when the response to COMMIT was lost, the store rejects the retry.
 */
export const idempotency = fp<IdempotencyOptions>(
  async (app, { state, vault, throttle }) => {
    app.addHook('onRoute', (route) => {
      if (!isCreating(route)) return
      route.preHandler = [...[route.preHandler ?? []].flat(), begin]
      route.onSend = [...[route.onSend ?? []].flat(), complete]
    })

    async function begin(request: FastifyRequest, reply: FastifyReply) {
      const { user, method, routeOptions, body, headers } = request
      const sent = headers['idempotency-key']
      if (sent === undefined) return
      const { success, data: key } = Key.safeParse(sent)
      if (!success)
        throw new Problem('invalid-request', { detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.' })
      await throttle.count('idempotentCall', user.id)
      const fingerprint = hash('sha256', JSON.stringify([method, routeOptions.url, body]))
      const id = `sallyport:idempotency:${user.id}:${hash('sha256', key)}`
      const isFirst = await state.set(id, 'pending', 'PX', pendingMs, 'NX').catch(rejectUnavailable)
      if (isFirst) {
        request.idempotency = { id, fingerprint }
        return
      }
      const stored = await state.getBuffer(id).catch(rejectUnavailable)
      if (!stored || stored.toString() === 'pending') throw new Problem('idempotency-pending')
      const response = openResponse(vault, stored, contextOf(user.id, id))
      if (response.fingerprint !== fingerprint) throw new Problem('idempotency-mismatch')
      return reply
        .code(response.status)
        .header('idempotency-replayed', 'true')
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(response.body)
    }

    async function complete(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
      // The request was rejected before the route, so there may be no signed-in user.
      if (!request.idempotency) return
      const { id, fingerprint } = request.idempotency
      const { user, log } = request
      const response = JSON.stringify({ fingerprint, status: reply.statusCode, body: payload })
      const isCreated = reply.statusCode === 201
      // The response may contain a secret, so it is sealed like one.
      const storing = isCreated
        ? state.set(id, vault.seal(response, contextOf(user.id, id)), 'PX', keptMs)
        : state.del(id)
      await storing.catch((error: unknown) =>
        log.warn({ err: error }, 'a response could not be stored for its Idempotency-Key'),
      )
    }
  },
  { name: 'idempotency', dependencies: ['require-session'] },
)

/** @throws Problem if its master key was removed since: a second call would create the same once more */
function openResponse(vault: Vault, stored: Buffer, context: SecretContext): z.output<typeof StoredResponse> {
  try {
    return StoredResponse.parse(JSON.parse(vault.open(stored, context)))
  } catch (cause) {
    const detail = 'The response to the first call with this Idempotency-Key can no longer be read. Use a new one.'
    throw new Problem('idempotency-mismatch', { cause, detail })
  }
}

const contextOf = (accountId: string, recordId: string): SecretContext => ({
  accountId,
  recordId,
  field: 'idempotent-response',
})

const rejectUnavailable = (cause: unknown): never => {
  throw new Problem('unavailable', { cause })
}
