import { z } from 'zod'
import { count } from './numbers.ts'
import { PlanName } from './plan-name.ts'

/** Requests that count toward the plan. */
const Allowance = z.object({
  used: count,
  limit: z.number().int().positive().nullable().describe('`null`: unlimited.'),
  remaining: count.nullable().describe('`null`: unlimited.'),
})
export type Allowance = z.infer<typeof Allowance>

/** Contents of the profile's Billing tab. */
export const Billing = z.object({
  plan: PlanName,
  status: z
    .enum(['active', 'ending', 'grace'])
    .describe(
      '`ending`: the paid time is over within three days. `grace`: it is over, but the plan stays active for a few more days.',
    ),
  nextBillingDate: z.iso.datetime().nullable().describe('End of the paid time; `null` for a plan without an end.'),
  paymentMethod: z.string().nullable().describe('Of the paid time; `null` for a plan without an end.'),
  usage: z
    .object({ today: Allowance.nullable(), month: Allowance.nullable() })
    .describe('Forwarded requests of this UTC day and month; `null`: currently unknown.'),
  contactEmail: z.string().nullable().describe('Recipient of `Contact Sales`.'),
})
export type Billing = z.infer<typeof Billing>

/** For the payment provider's script in the browser. Source: product.md 8.11. */
export const PaymentSetup = z.object({ clientToken: z.string(), scriptUrl: z.url() })

export const CreateOrder = z
  .object({
    amount: z.union([z.string().max(32), z.number()]).optional(),
    currency: z.string().max(8).optional(),
    intent: z.string().max(32).optional(),
  })
  .describe('The fields are validated but ignored: the price comes from the table of plans.')

export const OrderState = z
  .enum(['created', 'pending', 'captured', 'refused', 'refunded'])
  .describe('`pending`: PayPal has not decided yet; `refused`: it failed, or less than the price was paid.')
export type OrderState = z.infer<typeof OrderState>

/** Source: product.md 8.11. */
export const PaymentOrder = z.object({
  id: z.string().describe("The payment provider's id, which its script needs."),
  state: OrderState,
  plan: PlanName,
  amount: z.string().describe('In `currency`, such as `29.00`.'),
  currency: z.string(),
})
export type PaymentOrder = z.infer<typeof PaymentOrder>

/** The order after a capture, and the account's resulting plan. */
export const CapturedOrder = PaymentOrder.extend({
  subscriptionStatus: PlanName.describe("The account's resulting plan."),
  nextBillingDate: Billing.shape.nextBillingDate,
})

/** PayPal's ids of orders, captures and webhook events. */
export const PayPalId = z.string().regex(/^[\w-]{1,64}$/)

const MaybeId = PayPalId.optional().catch(undefined)

const Links = z.array(z.object({ rel: z.string(), href: z.string() })).max(32)
const RelatedIds = z.object({ order_id: MaybeId, capture_id: MaybeId }).catch({})
const Resource = z.object({
  id: MaybeId,
  links: Links.catch([]),
  supplementary_data: z.object({ related_ids: RelatedIds }).catch({ related_ids: {} }),
})

/** The parts of a PayPal webhook that identify its order. The payment's state is fetched from PayPal itself. */
export const PayPalEvent = z.object({
  id: PayPalId,
  event_type: z.string().max(128),
  resource: Resource,
})
export type PayPalEvent = z.infer<typeof PayPalEvent>
