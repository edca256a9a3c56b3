import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import type { ProblemCode } from '#schemas/problems.ts'
import { needsPassword, problemOf } from './api.ts'
import { errorText, isUnauthorized } from './text/error-text.ts'
import { nextPaint } from './browser/next-paint.ts'
import { placeOf } from './browser/place-of.ts'
import { reachability } from './reachability.ts'
import { currentUserQuery } from './session/session.ts'
import { refresh } from './refresh.ts'
import { leaveExpiredSession } from './session/leave-document.ts'
import { toast } from './toast.ts'

type ToastText = string | { title: string; description?: string }

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Destructive toast on failure; without a description the error's own text is shown. */
      failure?: ToastText
      /** Problems that the screen handles itself, without a toast. */
      handles?: readonly ProblemCode[]
      success?: ToastText
      /** First parts of the query keys that a success makes stale. */
      refreshes?: readonly string[]
    }
  }
}

const partsOf = (text: ToastText) => (typeof text === 'string' ? { title: text } : text)

/** A pending first load may be waiting on a connection that is already lost. */
const hasFailed = ({ state }: Query) =>
  state.status === 'error' || (state.status === 'pending' && state.fetchStatus === 'fetching')

/** Problems that come from a change elsewhere, which the screen does not show yet. */
const outdatedCodes: ReadonlySet<ProblemCode> = new Set([
  'not-found',
  'view-exists',
  'price-exists',
  'key-limit-reached',
  'token-limit-reached',
  'price-limit-reached',
  'limit-reached',
  'two-factor-enabled',
  'two-factor-disabled',
])

/** What was deleted elsewhere leaves its list; the focus, if it was there, moves to its neighbour. */
async function refreshOutdated(client: QueryClient, keys: readonly string[]) {
  const findPlace = placeOf(document.activeElement)
  await refresh(client, keys)
  await nextPaint()
  if (document.activeElement === document.body) findPlace()?.focus()
}

/** Freshness as in product.md 9.8; toasts and refreshes as each mutation's `meta` says. */
export function createQueryClient() {
  const leaveIfExpired = (error: unknown) => {
    if (!isUnauthorized(error) || !client.getQueryData(currentUserQuery.queryKey)) return false
    leaveExpiredSession()
    return true
  }

  const client: QueryClient = new QueryClient({
    defaultOptions: {
      // `always`: a gateway on this machine can be reached without a network too.
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        retry: false,
        // A screen shown after its load has failed does not load again by itself.
        retryOnMount: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
    queryCache: new QueryCache({ onError: (error) => void leaveIfExpired(error) }),
    mutationCache: new MutationCache({
      onError: async (error, _variables, _result, mutation) => {
        const { failure, handles = [], refreshes = [] } = mutation.meta ?? {}
        // Closing the password dialog needs no toast.
        if (leaveIfExpired(error) || needsPassword(error)) return
        const code = problemOf(error)?.code
        const isHandled = code !== undefined && handles.includes(code)
        if (failure && !isHandled) toast({ description: errorText(error), ...partsOf(failure), destructive: true })
        if (code !== undefined && outdatedCodes.has(code)) await refreshOutdated(client, refreshes)
      },
      onSuccess: async (_data, _variables, _result, mutation) => {
        const { success, refreshes = [] } = mutation.meta ?? {}
        if (success) toast(partsOf(success))
        await refresh(client, refreshes)
      },
    }),
  })
  reachability.subscribe(() => {
    if (reachability.read()) void client.refetchQueries({ predicate: hasFailed })
  })
  return client
}
