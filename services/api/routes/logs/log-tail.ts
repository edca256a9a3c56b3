import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import { z } from 'zod'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { mib, second } from '#core/units.ts'
import { RequestLogFilters, RequestLogSummary } from '#schemas/request-logs.ts'
import type { TailedLog } from '#store/clickhouse/logs/request-logs.ts'
import type { LogTail } from '../../logs/log-tail.ts'
import type { EndWithCredential } from '../../plugins/end-with-credential.ts'
import { signedInRoutes } from '../../plugins/session.ts'

/** Id of the last event that the client received, which is its storage time, ms since 1970. */
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
  endWithCredential: EndWithCredential
}

const keepAliveMs = 15 * second

/** A client with more unread bytes is disconnected, and reconnects on its own. */
const maxUnreadBytes = mib

/**
 * New logs as server-sent events: `event: log`, `data` a `RequestLogSummary`, `id` the time at which it was stored.
 * `Last-Event-ID` resumes after a lost connection. Time filters have no effect.
 */
export const logTailRoutes = signedInRoutes<LogTailRouteOptions>(async (app, options) => {
  const { tail, limit, endWithCredential } = options
  const open = new Set<ServerResponse>()

  app.get(
    '/api/logs/tail',
    {
      schema: {
        summary: 'Stream new request logs as server-sent events',
        description:
          'Each event is named `log`, and its `data` is the summary of a request log. To resume after a lost ' +
          'connection, send the id of the last event as `Last-Event-ID`; logs of the seconds before it are sent again. ' +
          'Time filters have no effect.',
        querystring: RequestLogFilters,
        headers: TailHeaders,
        produces: ['text/event-stream'],
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { user, query } = request
      // Called before the first await, so that parallel requests can't exceed the limit.
      limit.take(user.id)
      const response = reply.raw
      const stopWatching = endWithCredential(request, response)
      // Called even if the client has left by now.
      finished(response, () => {
        stopWatching()
        limit.release(user.id)
      })
      const buffered: string[] = []
      let isOpen = false
      const write = (text: string) => {
        if (!isOpen) buffered.push(text)
        else if (response.writableLength > maxUnreadBytes) response.destroy()
        else response.write(text)
      }
      const missedIds = new Set<string>()
      const stopListening = await tail.listen(user.id, query, (logs) =>
        write(toEvents(logs.filter(({ id }) => !missedIds.has(id)))),
      )
      try {
        const lastSeen = request.headers['last-event-id']
        const missed = lastSeen ? await tail.missed(user.id, query, lastSeen) : []
        buffered.unshift(`retry: 2000\n\n${toEvents(missed)}`)
        for (const { id } of missed) missedIds.add(id)
      } catch (error) {
        stopListening()
        throw error
      }
      request.endTurn()
      reply.hijack()
      if (response.destroyed) return stopListening()
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) response.setHeader(name, value)
      }
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      isOpen = true
      for (const text of buffered) write(text)
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

const toEvents = (logs: readonly TailedLog[]) =>
  logs
    .map((log) => `id: ${log.ingestedAtMs}\nevent: log\ndata: ${JSON.stringify(RequestLogSummary.parse(log))}\n\n`)
    .join('')
