import { type QueryClient, useQuery } from '@tanstack/react-query'
import { createRootRouteWithContext, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import type { User } from '#schemas/account.ts'
import { nextPaint } from '#web/lib/browser/next-paint.ts'
import { preferencesQuery } from '#web/lib/queries/preferences.ts'
import { loadDocument } from '#web/lib/session/leave-document.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'

// A separate chunk, which the signed-out screens don't load.
const SignedIn = lazyRouteComponent(() => import('./-signed-in/signed-in.tsx'), 'SignedIn')

type RouterContext = { queryClient: QueryClient; user: User | null }

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context, location, matches, preload }) => {
    if (!context.user || preload) return
    if (needsOwnDocument(location)) await loadDocument(location.href)
    // Highlights the link in an earlier frame, because drawing a screen may take too long for a click without feedback.
    if (matches.at(-1)?.cause === 'enter') await nextPaint()
  },
  loader: async ({ context }) => {
    if (!context.user) return
    void context.queryClient.prefetchQuery(preferencesQuery)
    await SignedIn.preload?.()
  },
  component: Root,
})

function Root() {
  const { user } = Route.useRouteContext()
  // Name, photo and plan can change on any screen; the router's context is as old as the last navigation.
  const { data: current } = useQuery(currentUserQuery)
  if (!user) return <Outlet />
  return (
    <SignedIn user={current ?? user}>
      <Outlet />
    </SignedIn>
  )
}

type Place = { pathname: string; searchStr: string }

const isPayment = ({ pathname, searchStr }: Place) =>
  /^\/pricing\/?$/.test(pathname) && new URLSearchParams(searchStr).get('pay') === 'true'

const isLoadedForPayment = isPayment({ pathname: window.location.pathname, searchStr: window.location.search })

/**
 * Whether a screen needs its own document: a document keeps its content security policy, and only the payment screen's
 * allows the payment provider, whose script stays in that document.
 */
const needsOwnDocument = (place: Place) => isPayment(place) !== isLoadedForPayment
