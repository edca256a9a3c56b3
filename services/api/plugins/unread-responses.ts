import { finished } from 'node:stream'
import fp from 'fastify-plugin'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { kib } from '#core/units.ts'

/** A shorter response costs hardly more than its connection. */
const smallBytes = 16 * kib

/** Counts the responses of this context in memory by account, until their clients have read them or left. */
export const unreadResponses = fp<{ limit: SharedLimit }>(
  async (app, { limit }) => {
    app.addHook('onSend', async ({ signedIn }, reply, payload) => {
      if (!signedIn || typeof payload !== 'string' || payload.length < smallBytes) return
      const { id } = signedIn.user
      const bytes = Buffer.byteLength(payload)
      limit.take(id, bytes)
      finished(reply.raw, () => limit.release(id, bytes))
    })
  },
  { name: 'unread-responses', dependencies: ['require-session'] },
)
