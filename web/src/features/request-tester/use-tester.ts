import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { forgetHandedRequest, onHandedRequest, readHandedRequest } from '#web/lib/browser/handed-request.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { statsPath } from '#web/lib/queries/stats.ts'
import { refresh } from '#web/lib/refresh.ts'
import { toast } from '#web/lib/toast.ts'
import { type TesterResponse, sendRequest } from './send-request.ts'
import { addToHistory, clearHistory, readHistory } from './tester-history.ts'
import { defaultRequest, TesterRequest } from './tester-request.ts'

/** A request that another screen passed on to be sent again. */
const handedRequest = () => TesterRequest.safeParse(readHandedRequest()).data

/** State and actions of the tester; the history is stored per account. */
export function useTester(accountId: string) {
  const client = useQueryClient()
  const [request, setRequest] = useState(() => handedRequest() ?? defaultRequest)
  const [response, setResponse] = useState<TesterResponse | null>(null)
  const [tab, setTab] = useState<'request' | 'response'>('request')
  const [history, setHistory] = useState(() => readHistory(accountId))
  const [sending, setSending] = useState(false)
  const controller = useRef<AbortController | null>(null)

  useEffect(() => {
    // In the effect, because React can discard a first render and read the request again.
    forgetHandedRequest()
    return onHandedRequest(() => {
      const past = handedRequest()
      forgetHandedRequest()
      if (!past) return
      setRequest(past)
      setTab('request')
    })
  }, [])

  function load(past: TesterRequest) {
    setRequest(past)
    setTab('request')
  }

  async function send() {
    if (controller.current) return
    const abort = new AbortController()
    controller.current = abort
    setSending(true)
    const sentAt = new Date().toISOString()
    try {
      const received = await sendRequest(request, { signal: abort.signal, onProgress: show })
      setResponse(received)
      const { status, durationMs } = received
      toast({ title: 'Request Sent', description: `Response: ${status}`, destructive: status >= 400 })
      setHistory(addToHistory(accountId, { request, status, durationMs, sentAt }))
    } catch {
      if (!abort.signal.aborted) {
        toast({ title: 'Request Failed', description: 'Failed to send test request', destructive: true })
      }
    } finally {
      controller.current = null
      setSending(false)
      void refresh(client, [requestLogsPath, statsPath])
    }
  }

  function show(received: TesterResponse) {
    setResponse(received)
    setTab('response')
  }

  return {
    request,
    setRequest,
    response,
    tab,
    setTab,
    history,
    clearHistory: () => setHistory(clearHistory(accountId)),
    sending,
    send: () => void send(),
    stop: () => controller.current?.abort(),
    load,
  }
}
