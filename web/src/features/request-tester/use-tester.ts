import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { offerDraft, takeDraft } from '#web/lib/session/form-drafts.ts'
import { createStore } from '#web/lib/store.ts'
import { forgetHandedRequest, onHandedRequest, readHandedRequest } from '#web/lib/browser/handed-request.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { statsPath } from '#web/lib/queries/stats.ts'
import { refresh } from '#web/lib/refresh.ts'
import { toast } from '#web/lib/toast.ts'
import { type TesterResponse, sendRequest } from './send-request.ts'
import { addToHistory, clearHistory, readHistory } from './tester-history.ts'
import { defaultRequest, TesterRequest, withoutSecrets } from './tester-request.ts'

/** Keeps what was typed while another screen is shown. */
const typedRequest = createStore(defaultRequest)

/** The part of the typed request that outlives an expired session. */
function readDraft(): TesterRequest {
  const request = typedRequest.read()
  try {
    return withoutSecrets(request)
  } catch {
    // Headers that can't be read may hold a secret.
    return withoutSecrets({ ...request, headers: defaultRequest.headers })
  }
}

/** State and actions of the tester; the history is stored per account. */
export function useTester(accountId: string) {
  const client = useQueryClient()
  const request = typedRequest.use()
  const [response, setResponse] = useState<TesterResponse | null>(null)
  const [tab, setTab] = useState<'request' | 'response'>('request')
  const [history, setHistory] = useState(() => readHistory(accountId))
  const [sending, setSending] = useState(false)
  const controller = useRef<AbortController | null>(null)

  function load(past: TesterRequest) {
    typedRequest.write(past)
    setTab('request')
  }

  useEffect(() => {
    const draft = TesterRequest.safeParse(takeDraft('tester')).data
    if (draft) typedRequest.write(draft)
    return offerDraft('tester', readDraft)
  }, [])

  useEffect(() => {
    function loadHanded() {
      const handed = TesterRequest.safeParse(readHandedRequest()).data
      forgetHandedRequest()
      if (!handed) return
      typedRequest.write(handed)
      setTab('request')
    }
    loadHanded()
    return onHandedRequest(loadHanded)
  }, [])

  async function send() {
    if (controller.current) return
    const abort = new AbortController()
    controller.current = abort
    setSending(true)
    // Otherwise, the last response would stay if this request failed.
    setResponse(null)
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
    setRequest: typedRequest.write,
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
