import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { CatchBoundary, createRouter, parseSearchWith, RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { createQueryClient } from '#web/lib/query-client.ts'
import { leaveExpiredSession } from '#web/lib/session/leave-document.ts'
import { parseParameter } from '#web/lib/search-params.ts'
import { currentUserQuery, watchOtherTabs } from '#web/lib/session/session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FullScreenSpinner } from '#web/ui/spinner.tsx'
import { OfflineBanner } from '#web/ui/offline-banner.tsx'
import { routeTree } from './route-tree.gen.ts'
import { FailedPage } from './routes/-failed-page.tsx'
import { NotFound } from './routes/-not-found.tsx'

// Loaded in parallel with the first screen.
const Toaster = lazy(async () => ({ default: (await import('#web/ui/toaster.tsx')).Toaster }))

const queryClient = createQueryClient()
watchOtherTabs(queryClient)

const router = createRouter({
  routeTree,
  context: { queryClient, user: null },
  parseSearch: parseSearchWith(parseParameter),
  defaultPreload: 'intent',
  // The query cache alone decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: () => <FullScreenSpinner root="div" />,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: FailedPage,
})

const spinnerDelayMs = 1_000

/** A slow load shows a spinner only for another screen: on the same one, the user may be typing. */
router.subscribe('onBeforeLoad', ({ pathChanged }) => {
  router.options.defaultPendingMs = pathChanged ? spinnerDelayMs : Number.POSITIVE_INFINITY
})

/** A pressed link disappears with its screen, so the next screen gets the focus. */
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (!fromLocation || !pathChanged || document.activeElement !== document.body) return
  document.getElementById('main')?.focus({ preventScroll: true })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <CatchBoundary getResetKey={() => 0} errorComponent={FailedPage}>
        <Routes />
        <OfflineBanner />
        <Suspense>
          <Toaster />
        </Suspense>
      </CatchBoundary>
    </QueryClientProvider>
  )
}

function Routes() {
  const { data: user, error, refetch } = useQuery(currentUserQuery)
  const [isLoaded, setIsLoaded] = useState(false)
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (user && !wasSignedIn) setWasSignedIn(true)

  useEffect(() => {
    if (user !== undefined) router.update({ ...router.options, context: { queryClient, user } })
  }, [user])

  const userId = user === null ? null : user?.id
  useEffect(() => {
    if (userId === undefined || (userId === null && wasSignedIn)) return
    // Rendered once it is loaded: React delays content that replaces a Suspense fallback by 300 ms.
    void router.invalidate().then(() => setIsLoaded(true))
  }, [userId, wasSignedIn])

  // The query returns null rather than failing, so no error handler notices that the session is over.
  useEffect(() => {
    if (user === null && wasSignedIn) leaveExpiredSession()
  }, [user, wasSignedIn])

  if (user === undefined && error) {
    return (
      <main className="grid min-h-dvh place-items-center p-4">
        <ErrorState title="The gateway does not respond" error={error} onRetry={() => void refetch()} />
      </main>
    )
  }
  // A session ends with a browser navigation; until then no signed-out screen may flash.
  if (user === undefined || !isLoaded || (user === null && wasSignedIn)) return <FullScreenSpinner />
  return <RouterProvider router={router} />
}
