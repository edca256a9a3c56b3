import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { User } from '#schemas/account.ts'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'

// Apart, so that the signed-out area doesn't carry it.
const loadFrame = () => import('#web/features/frame/app-frame.tsx')
const AppFrame = lazy(async () => ({ default: (await loadFrame()).AppFrame }))

type RouterContext = { queryClient: QueryClient; user: User | null }

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context }) => void (context.user && loadFrame()),
  component: Root,
})

function Root() {
  const { user } = Route.useRouteContext()
  if (!user) return <Outlet />
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <AppFrame user={user}>
        <Outlet />
      </AppFrame>
    </Suspense>
  )
}
