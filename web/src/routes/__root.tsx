import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { User } from '#schemas/account.ts'
import { preferencesQuery } from '#web/lib/preferences-query.ts'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'

// Apart, so that the signed-out area doesn't carry it.
const loadFrame = () => import('./-signed-in/signed-in.tsx')
const SignedIn = lazy(async () => ({ default: (await loadFrame()).SignedIn }))

type RouterContext = { queryClient: QueryClient; user: User | null }

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context }) => {
    if (!context.user) return
    void loadFrame()
    void context.queryClient.prefetchQuery(preferencesQuery)
  },
  component: Root,
})

function Root() {
  const { user } = Route.useRouteContext()
  if (!user) return <Outlet />
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <SignedIn user={user}>
        <Outlet />
      </SignedIn>
    </Suspense>
  )
}
