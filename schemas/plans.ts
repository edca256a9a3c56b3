import { z } from 'zod'
import { PlanName } from './plan-name.ts'

const planLimit = z.number().int().positive().nullable().describe('`null`: unlimited. Days and months are UTC.')

export const PlanLimits = z.strictObject({
  requestsPerDay: planLimit,
  requestsPerMonth: planLimit,
  tokens: z.number().int().positive().nullable().describe('Number of secure tokens; `null`: unlimited.'),
})
export type PlanLimits = z.infer<typeof PlanLimits>

/** Contents of the pricing and profile screens. Source: product.md 6.1. */
const Plan = z.object({
  name: z.string(),
  label: z.string().describe('Text of badges.'),
  price: z.string().describe('For example `$29`, without cents.'),
  priceCents: z.number().int().nonnegative().describe('US cents per interval.'),
  interval: z.enum(['month', 'forever']),
  description: z.string(),
  profileDescription: z.string().describe("Shown on the profile's Billing tab."),
  features: z.array(z.string()),
  limitations: z.array(z.string()),
  badge: z.string().nullable(),
  buttonText: z.string(),
  disabled: z.boolean(),
  limits: PlanLimits,
})
export type Plan = z.infer<typeof Plan>

interface PlanDefinition extends Omit<Plan, 'price' | 'limitations'> {
  /** A plan includes everything in plans of lower rank. */
  rank: number
  /** Source: product.md 10.12. */
  isOnPricingScreen: boolean
}

/** Source: product.md 6.1. */
const definitions: Record<PlanName, PlanDefinition> = {
  free: {
    rank: 0,
    isOnPricingScreen: true,
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
    limits: { requestsPerDay: 5, requestsPerMonth: null, tokens: 1 },
  },
  basic: {
    rank: 1,
    isOnPricingScreen: false,
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
    limits: { requestsPerDay: null, requestsPerMonth: 10_000, tokens: 5 },
  },
  pro: {
    rank: 2,
    isOnPricingScreen: true,
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
    limits: { requestsPerDay: null, requestsPerMonth: null, tokens: 10 },
  },
  enterprise: {
    rank: 3,
    isOnPricingScreen: true,
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
    limits: { requestsPerDay: null, requestsPerMonth: null, tokens: null },
  },
}

export const isHigherPlan = (plan: PlanName, other: PlanName): boolean =>
  definitions[plan].rank > definitions[other].rank

/** The cards of the pricing screen, in order. */
export const pricingPlans = PlanName.options.filter((name) => definitions[name].isOnPricingScreen)

/** The plan that is for sale. Source: product.md 6.6. */
export const paidPlan = 'pro' as const satisfies PlanName
export const currency = 'USD'

/** An operator's changes to the limits; other limits keep their defaults. */
export const PlanLimitOverrides = z.partialRecord(PlanName, PlanLimits.partial())
export type PlanLimitOverrides = z.infer<typeof PlanLimitOverrides>

/** All plans with the limits of this server. */
export const PlanTable = z.object(ofEachPlan(() => Plan))
export type PlanTable = z.infer<typeof PlanTable>

/** All plans with an operator's limits; texts state the resulting limits. */
export function planTable(overrides: PlanLimitOverrides = {}): PlanTable {
  return ofEachPlan((name) => {
    const { rank: _rank, isOnPricingScreen: _isOnPricingScreen, ...definition } = definitions[name]
    const limits = { ...definition.limits, ...overrides[name] }
    const features = [requestsInWords(limits), tokensInWords(limits), ...definition.features]
    const limitations = limitationsOf(limits)
    return { ...definition, price: `$${definition.priceCents / 100}`, features, limitations, limits }
  })
}

/** All plans with the default limits. */
export const plans = planTable()

/** Wording: product.md 6.2. */
export function requestsInWords({ requestsPerDay, requestsPerMonth }: PlanLimits): string {
  const spans: string[] = []
  if (requestsPerDay !== null) spans.push(`${inWords(requestsPerDay, 'API request')} per day`)
  if (requestsPerMonth !== null) spans.push(`${inWords(requestsPerMonth, 'request')}/month`)
  return spans.join(', ') || 'Unlimited requests'
}

/** Wording: product.md 6.2. */
export function tokensInWords({ tokens }: PlanLimits): string {
  if (tokens === null) return 'Unlimited tokens'
  return tokens === 1 ? '1 token' : `Up to ${inWords(tokens, 'token')}`
}

function limitationsOf({ requestsPerDay, requestsPerMonth }: PlanLimits): string[] {
  const limitations: string[] = []
  if (requestsPerDay !== null) limitations.push('Requests beyond the daily limit are blocked until the next day')
  if (requestsPerMonth !== null) limitations.push('Requests beyond the monthly limit are blocked until the next month')
  return limitations
}

/** Groups the digits without `Intl`, whose first use would take every process 25 ms of its start. */
function inWords(count: number, noun: string): string {
  const digits = String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}

function ofEachPlan<Value>(toValue: (name: PlanName) => Value): Record<PlanName, Value> {
  return { free: toValue('free'), basic: toValue('basic'), pro: toValue('pro'), enterprise: toValue('enterprise') }
}
