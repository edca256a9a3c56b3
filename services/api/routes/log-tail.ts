import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { CredentialWatch } from '#shared/credential-watch.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { mib, second } from '#core/units.ts'
import { RequestLogFilters, RequestLogSummary } from '#schemas/request-logs.ts'
import type { TailedLog } from '#store/clickhouse/request-logs.ts'
import type { SessionStore } from '#store/postgres/sign-in/sessions.ts'
import type { LogTail } from '../logs/log-tail.ts'
import { signedInRoutes } from '../plugins/session.ts'

/** The id of the last event that a reader has: the moment when it was stored, ms since 1970. */
const TailHeaders = z.looseObject({
  'last-event-id': z.coerce
    .number('Expected the id of an event')
    .int()
    .min(0)
    .max(Date.parse('2200-01-01T00:00:00Z'))
    .optional(),
})

interface LogTailRouteOptions {
  tail: LogTail
  limit: SharedLimit
  sessions: Pick<SessionStore, 'isLive'>
  credentialWatch: CredentialWatch
}

const keepAliveMs = 15 * second

/** A reader that is further behind than this is let go; it comes again by itself. */
const mostBehind = mib

/**
 * New logs as server-sent events: `event: log`, `data` a row of the history, `id` the moment it was stored. With
 * `Last-Event-ID` it goes on where the connection broke off. Time filters have no meaning here.
 */
export const logTailRoutes = signedInRoutes<LogTailRouteOptions>(async (app, options) => {
  const { tail, limit, sessions, credentialWatch } = options
  const open = new Set<ServerResponse>()

  app.get(
    '/api/logs/tail',
    { schema: { querystring: RequestLogFilters, headers: TailHeaders, response: { 200: z.string() } } },
    async (request, reply) => {
      const { user, sessionId, query } = request
      // Before anything is waited for: else many at once would all find room.
      limit.take(user.id)
      const response = reply.raw
      const stopWatching = credentialWatch.watch({
        accountId: user.id,
        expiresAt: null,
        isStillValid: () => sessions.isLive(user.id, sessionId),
        end: () => response.destroy(),
      })
      response.once('close', () => {
        stopWatching()
        limit.release(user.id)
      })
      const waiting: string[] = []
      let isOpen = false
      const write = (text: string) => {
        if (!isOpen) waiting.push(text)
        else if (response.writableLength > mostBehind) response.destroy()
        else response.write(text)
      }
      const told = new Set<string>()
      const tell = (logs: readonly TailedLog[]) =>
        write(
          logs
            .filter(({ id }) => !told.has(id))
            .map(toEvent)
            .join(''),
        )
      const stopListening = await tail.listen(user.id, query, tell)
      try {
        const lastSeen = request.headers['last-event-id']
        const missed = lastSeen ? await tail.missed(user.id, query, lastSeen) : []
        waiting.unshift(`retry: 2000\n\n${missed.map(toEvent).join('')}`)
        for (const { id } of missed) told.add(id)
      } catch (error) {
        stopListening()
        throw error
      }
      reply.hijack()
      if (response.destroyed) return stopListening()
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) response.setHeader(name, value)
      }
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      isOpen = true
      for (const text of waiting) write(text)
      open.add(response)
      const keepAlive = setInterval(() => write(': \n\n'), keepAliveMs)
      response.once('close', () => {
        stopListening()
        clearInterval(keepAlive)
        open.delete(response)
      })
    },
  )

  // An open tail would keep the server from closing.
  app.addHook('preClose', async () => {
    for (const response of open) response.destroy()
  })
})

const toEvent = (log: TailedLog) =>
  `id: ${log.ingestedAtMs}\nevent: log\ndata: ${JSON.stringify(RequestLogSummary.parse(log))}\n\n`
