import type { ServerResponse } from 'node:http'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Problem } from '#core/problem.ts'
import { mib, second } from '#core/units.ts'
import { RequestLogFilters, RequestLogSummary } from '#schemas/request-logs.ts'
import type { TailedLog } from '#store/request-logs.ts'
import type { LogTail } from '../log-tail.ts'

interface LogTailRouteOptions {
  tail: LogTail
}

const keepAliveMs = 15 * second

/** One account's listeners at once, in one process. */
const mostListeners = 20

/** A reader that is further behind than this is let go; it comes again by itself. */
const mostBehind = mib

/**
 * New logs as server-sent events: `event: log`, `data` a row of the history, `id` the moment it was stored. With
 * `Last-Event-ID` it goes on where the connection broke off. Time filters have no meaning here.
 */
export const logTailRoutes: FastifyPluginAsyncZod<LogTailRouteOptions> = async (app, { tail }) => {
  const listeners = new Map<string, number>()
  const open = new Set<ServerResponse>()

  app.get(
    '/api/logs/tail',
    { schema: { querystring: RequestLogFilters, response: { 200: z.string() } } },
    async (request, reply) => {
      const { user, query } = request
      if ((listeners.get(user.id) ?? 0) >= mostListeners) throw new Problem('too-many-requests')
      const response = reply.raw
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
        const lastSeen = Number(request.headers['last-event-id'])
        const missed = lastSeen > 0 ? await tail.missed(user.id, query, lastSeen) : []
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
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      isOpen = true
      for (const text of waiting) write(text)
      listeners.set(user.id, (listeners.get(user.id) ?? 0) + 1)
      open.add(response)
      const keepAlive = setInterval(() => write(': \n\n'), keepAliveMs)
      response.once('close', () => {
        stopListening()
        clearInterval(keepAlive)
        open.delete(response)
        listeners.set(user.id, (listeners.get(user.id) ?? 1) - 1)
        if (listeners.get(user.id) === 0) listeners.delete(user.id)
      })
    },
  )

  // An open tail would keep the server from closing.
  app.addHook('preClose', async () => {
    for (const response of open) response.destroy()
  })
}

const toEvent = (log: TailedLog) =>
  `id: ${log.ingestedAtMs}\nevent: log\ndata: ${JSON.stringify(RequestLogSummary.parse(log))}\n\n`
