import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router'

// One path, two screens; neither loads the other's code.
const loadDashboard = () => import('./-home/dashboard.tsx')
const Landing = lazyRouteComponent(() => import('#web/features/landing/landing-screen.tsx'), 'LandingScreen')
const Dashboard = lazyRouteComponent(loadDashboard, 'Dashboard')

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    if (!context.user) return Landing.preload?.()
    const { prefetchDashboard } = await loadDashboard()
    prefetchDashboard(context.queryClient)
    await Dashboard.preload?.()
  },
  component: Home,
})

function Home() {
  const { user } = Route.useRouteContext()
  return user ? <Dashboard accountId={user.id} /> : <Landing />
}
