import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'

// One path, two screens; neither carries the other.
const loadLanding = () => import('#web/features/landing/landing-screen.tsx')
const loadDashboard = () => import('./-home/dashboard.tsx')
const Landing = lazy(async () => ({ default: (await loadLanding()).LandingScreen }))
const Dashboard = lazy(async () => ({ default: (await loadDashboard()).Dashboard }))

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    if (context.user) (await loadDashboard()).prefetchDashboard(context.queryClient)
    else await loadLanding()
  },
  component: Home,
})

function Home() {
  const { user } = Route.useRouteContext()
  return <Suspense fallback={<FullScreenSpinner />}>{user ? <Dashboard accountId={user.id} /> : <Landing />}</Suspense>
}
