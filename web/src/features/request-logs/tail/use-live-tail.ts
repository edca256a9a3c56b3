import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { addToTail, emptyTail, pauseTail } from './live-tail-buffer.ts'

/** Interval at which new rows are rendered together, ms. */
const flushMs = 250

export type LiveTail = ReturnType<typeof useLiveTail>

/**
 * New requests as they are stored. The browser reconnects by itself, with the id of the last event,
 * unless it is rejected.
 * @param url undefined: there is no tail
 */
export function useLiveTail(url: string | undefined) {
  const client = useQueryClient()
  const [tail, setTail] = useState(emptyTail)
  const [connection, setConnection] = useState<'connecting' | 'live' | 'lost'>('connecting')
  const [lastUrl, setLastUrl] = useState(url)
  const isLost = connection === 'lost'
  if (url !== lastUrl) {
    setLastUrl(url)
    setTail(emptyTail)
    setConnection('connecting')
  }

  useEffect(() => {
    if (url === undefined || isLost) return
    let pending: RequestLogSummary[] = []
    const source = new EventSource(url, { withCredentials: true })
    source.addEventListener('log', ({ data }: MessageEvent<string>) => {
      const log = RequestLogSummary.safeParse(parseJson(data)).data
      if (log) pending.push(log)
    })
    source.addEventListener('open', () => setConnection('live'))
    source.addEventListener('error', () => {
      const isClosed = source.readyState === EventSource.CLOSED
      setConnection(isClosed ? 'lost' : 'connecting')
      // An event source reports no reason; the session may have ended.
      if (isClosed) void client.invalidateQueries(currentUserQuery)
    })
    const timer = setInterval(() => {
      if (pending.length === 0) return
      const batch = pending
      pending = []
      setTail((state) => addToTail(state, batch))
    }, flushMs)
    return () => {
      clearInterval(timer)
      source.close()
    }
  }, [client, url, isLost])

  const setPaused = (isPaused: boolean) => setTail((state) => pauseTail(state, isPaused))
  return { ...tail, connection, setPaused, reconnect: () => setConnection('connecting') }
}
