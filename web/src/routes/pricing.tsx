import { createFileRoute } from '@tanstack/react-router'
import { PricingScreen } from '#web/features/pricing/pricing-screen.tsx'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/pricing')({
  beforeLoad: requireUser,
  component: PricingScreen,
})
