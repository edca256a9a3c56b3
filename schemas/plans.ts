import { z } from 'zod'

export const PlanName = z.enum(['free', 'basic', 'pro', 'enterprise'])
export type PlanName = z.infer<typeof PlanName>

/** Limits of a plan; `null` means unlimited. Days and months are UTC. */
export const PlanLimits = z.strictObject({
  requestsPerDay: z.number().int().positive().nullable(),
  requestsPerMonth: z.number().int().positive().nullable(),
  tokens: z.number().int().positive().nullable(),
})
export type PlanLimits = z.infer<typeof PlanLimits>

/** What an operator changes of the limits; everything else stays as in the table. */
export const PlanLimitOverrides = z.partialRecord(PlanName, PlanLimits.partial())
export type PlanLimitOverrides = z.infer<typeof PlanLimitOverrides>

/** A plan as the pricing and the profile screen show it. Source: specification §3, "Plan definition". */
const Plan = z.object({
  name: z.string(),
  /** On badges. */
  label: z.string(),
  /** In words, such as `$29`; it never has cents. */
  price: z.string(),
  priceCents: z.number().int().nonnegative(),
  interval: z.enum(['month', 'forever']),
  description: z.string(),
  /** The line of the profile's Billing tab. */
  profileDescription: z.string(),
  features: z.array(z.string()),
  limitations: z.array(z.string()),
  badge: z.string().nullable(),
  buttonText: z.string(),
  disabled: z.boolean(),
  limits: PlanLimits,
})
export type Plan = z.infer<typeof Plan>

/** All plans with the limits that hold on this server. */
export const PlanTable = z.object({ free: Plan, basic: Plan, pro: Plan, enterprise: Plan })
export type PlanTable = z.infer<typeof PlanTable>

/** The cards of the pricing screen, in their order. Source: specification §9. */
export const pricingPlans = ['free', 'pro', 'enterprise'] as const satisfies PlanName[]

/** The plan that the payment area sells, and its currency. Source: specification §9, "Payment". */
export const paidPlan = 'pro' as const satisfies PlanName
export const currency = 'USD'

type PlanDefinition = Omit<Plan, 'price' | 'limitations' | 'limits'>

const definitions: Record<PlanName, PlanDefinition> = {
  free: {
    name: 'Free',
    label: 'Free Plan',
    priceCents: 0,
    interval: 'forever',
    description: 'For getting to know the gateway',
    profileDescription: 'Start with our free plan',
    features: ['Request logs and analytics', 'Keys stored encrypted'],
    badge: null,
    buttonText: 'Get Started',
    disabled: true,
  },
  basic: {
    name: 'Basic',
    label: 'Basic Plan',
    priceCents: 900,
    interval: 'month',
    description: 'For small projects',
    profileDescription: '$9/month with 10,000 requests/month',
    features: ['Request logs and analytics', 'Keys stored encrypted'],
    badge: null,
    buttonText: 'Contact Sales',
    disabled: false,
  },
  pro: {
    name: 'Pro',
    label: 'Pro Plan',
    priceCents: 2_900,
    interval: 'month',
    description: 'For developers who build on the API every day',
    profileDescription: '$29/month with 100,000 requests/month',
    features: ['99.9% uptime SLA', 'Request logs and analytics', 'Keys stored encrypted'],
    badge: 'Recommended',
    buttonText: 'Upgrade to Pro',
    disabled: false,
  },
  enterprise: {
    name: 'Enterprise',
    label: 'Enterprise Plan',
    priceCents: 9_900,
    interval: 'month',
    description: 'For teams with many applications',
    profileDescription: '$99/month with unlimited requests',
    features: ['Everything in Pro'],
    badge: null,
    buttonText: 'Contact Sales',
    disabled: false,
  },
}

const defaultLimits: Record<PlanName, PlanLimits> = {
  free: { requestsPerDay: 5, requestsPerMonth: null, tokens: 1 },
  basic: { requestsPerDay: null, requestsPerMonth: 10_000, tokens: 5 },
  pro: { requestsPerDay: null, requestsPerMonth: null, tokens: 10 },
  enterprise: { requestsPerDay: null, requestsPerMonth: null, tokens: null },
}

/** The table of plans with an operator's limits in it; whatever names a limit names the real one. */
export function planTable(overrides: PlanLimitOverrides = {}): PlanTable {
  const plan = (name: PlanName): Plan => {
    const limits = { ...defaultLimits[name], ...overrides[name] }
    const definition = definitions[name]
    const features = [requestsInWords(limits), tokensInWords(limits), ...definition.features]
    const limitations = limitationsOf(limits)
    return { ...definition, price: `$${definition.priceCents / 100}`, features, limitations, limits }
  }
  return { free: plan('free'), basic: plan('basic'), pro: plan('pro'), enterprise: plan('enterprise') }
}

/** The one table of plans. Source: specification §9, decisions.md "Enforcement". */
export const plans = planTable()

/** Wording: specification §9. */
export function requestsInWords({ requestsPerDay, requestsPerMonth }: PlanLimits): string {
  const spans = [
    requestsPerDay !== null && `${inWords(requestsPerDay, 'API request')} per day`,
    requestsPerMonth !== null && `${inWords(requestsPerMonth, 'request')}/month`,
  ]
  return spans.filter((span) => span !== false).join(', ') || 'Unlimited requests'
}

/** Wording: specification §9. */
export function tokensInWords({ tokens }: PlanLimits): string {
  if (tokens === null) return 'Unlimited tokens'
  return tokens === 1 ? '1 token' : `Up to ${inWords(tokens, 'token')}`
}

function limitationsOf({ requestsPerDay, requestsPerMonth }: PlanLimits): string[] {
  if (requestsPerDay !== null) return ['Requests beyond the daily limit are blocked until the next day']
  if (requestsPerMonth !== null) return ['Requests beyond the monthly limit are blocked until the next month']
  return []
}

function inWords(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
