import { useCallback, useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { addToTail, emptyTail, holdTail } from './live-tail-buffer.ts'

const Arrived = z.union([z.array(RequestLogSummary), RequestLogSummary.transform((log) => [log])])
/** New rows are drawn together, ms. */
const flushMs = 250

function parse(data: string): RequestLogSummary[] {
  try {
    return Arrived.safeParse(JSON.parse(data)).data ?? []
  } catch {
    return []
  }
}

/** New requests as they are stored. The browser reconnects by itself and says from where. */
export function useLiveTail(url: string) {
  const client = useQueryClient()
  const [tail, setTail] = useState(emptyTail)
  const [connection, setConnection] = useState<'connecting' | 'live' | 'lost'>('connecting')

  useEffect(() => {
    let arrived: RequestLogSummary[] = []
    const source = new EventSource(url, { withCredentials: true })
    const take = ({ data }: MessageEvent<string>) => arrived.push(...parse(data))
    source.addEventListener('message', take)
    source.addEventListener('log', take)
    source.addEventListener('open', () => setConnection('live'))
    source.addEventListener('error', () => {
      const isLost = source.readyState === EventSource.CLOSED
      setConnection(isLost ? 'lost' : 'connecting')
      // An event source does not say why it was rejected: the session may be over.
      if (isLost) void client.invalidateQueries(currentUserQuery)
    })
    const timer = setInterval(() => {
      if (arrived.length === 0) return
      const batch = arrived
      arrived = []
      setTail((state) => addToTail(state, batch))
    }, flushMs)
    return () => {
      clearInterval(timer)
      source.close()
    }
  }, [client, url])

  const hold = useCallback((isHeld: boolean) => setTail((state) => holdTail(state, isHeld)), [])
  return { ...tail, connection, hold }
}
