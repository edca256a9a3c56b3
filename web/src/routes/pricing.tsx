import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { plansQuery } from '#web/features/pricing/pricing-queries.ts'
import { PricingScreen } from '#web/features/pricing/pricing-screen.tsx'
import { requireUser } from './-require-user.ts'

/** `pay`: the payment area is open; the gateway's policy allows the payment provider's script only then. */
const PricingSearch = z.object({ pay: z.literal(true).optional().catch(undefined) })

export const Route = createFileRoute('/pricing')({
  validateSearch: PricingSearch,
  beforeLoad: requireUser,
  loader: ({ context }) => void context.queryClient.prefetchQuery(plansQuery),
  component: PricingScreen,
})
