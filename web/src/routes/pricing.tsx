import { createFileRoute } from '@tanstack/react-router'
import { plansQuery } from '#web/features/pricing/pricing-queries.ts'
import { PricingScreen } from '#web/features/pricing/pricing-screen.tsx'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/pricing')({
  beforeLoad: requireUser,
  loader: ({ context }) => void context.queryClient.prefetchQuery(plansQuery),
  component: PricingScreen,
})
