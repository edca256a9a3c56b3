import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { offerDraft, takeDraft } from '#web/lib/session/form-drafts.ts'
import { createStore } from '#web/lib/store.ts'
import { forgetHandedRequest, onHandedRequest, readHandedRequest } from '#web/lib/browser/handed-request.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { statsPath } from '#web/lib/queries/stats.ts'
import { refresh } from '#web/lib/refresh.ts'
import { toast } from '#web/lib/toast.ts'
import { type TesterResponse, sendRequest } from './send-request.ts'
import { addToHistory, clearHistory, type HistoryEntry, readHistory } from './tester-history.ts'
import { defaultRequest, TesterRequest, withoutSecrets } from './tester-request.ts'

type Exchange = {
  response: TesterResponse | null
  tab: 'request' | 'response'
  history: HistoryEntry[]
  /** Ends the request that is being sent. */
  controller: AbortController | null
}

// Both stay while another screen is shown, so that a stream can still be seen and stopped.
const typedRequest = createStore(defaultRequest)
const exchange = createStore<Exchange>({ response: null, tab: 'request', history: [], controller: null })
const update = (change: Partial<Exchange>) => exchange.write({ ...exchange.read(), ...change })

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

function load(past: TesterRequest) {
  typedRequest.write(past)
  update({ tab: 'request' })
}

/** Its first part brings the response into view; afterwards, the tab is the user's choice. */
const show = (response: TesterResponse) =>
  update(exchange.read().response ? { response } : { response, tab: 'response' })

/** State and actions of the tester; the history is stored per account. */
export function useTester(accountId: string) {
  const client = useQueryClient()
  const request = typedRequest.use()
  const { controller, ...shown } = exchange.use()

  useEffect(() => update({ history: readHistory(accountId) }), [accountId])

  useEffect(() => {
    const draft = TesterRequest.safeParse(takeDraft('tester')).data
    if (draft) typedRequest.write(draft)
    return offerDraft('tester', readDraft)
  }, [])

  useEffect(() => {
    function loadHanded() {
      const handed = TesterRequest.safeParse(readHandedRequest()).data
      forgetHandedRequest()
      if (handed) load(handed)
    }
    loadHanded()
    return onHandedRequest(loadHanded)
  }, [])

  async function send() {
    if (exchange.read().controller) return
    const abort = new AbortController()
    // Otherwise, the last response would stay if this request failed.
    update({ controller: abort, response: null })
    const sentAt = new Date().toISOString()
    try {
      const response = await sendRequest(request, { signal: abort.signal, onProgress: show })
      update({ response })
      const { status, durationMs } = response
      toast({ title: 'Request Sent', description: `Response: ${status}`, destructive: status >= 400 })
      update({ history: addToHistory(accountId, { request, status, durationMs, sentAt }) })
    } catch {
      if (!abort.signal.aborted) {
        toast({ title: 'Request Failed', description: 'Failed to send test request', destructive: true })
      }
    } finally {
      update({ controller: null })
      void refresh(client, [requestLogsPath, statsPath])
    }
  }

  return {
    ...shown,
    request,
    setRequest: typedRequest.write,
    setTab: (tab: Exchange['tab']) => update({ tab }),
    clearHistory: () => update({ history: clearHistory(accountId) }),
    sending: controller !== null,
    send: () => void send(),
    stop: () => controller?.abort(),
    load,
  }
}
