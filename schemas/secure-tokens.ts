import { z } from 'zod'
import { requiredText } from './plain-text.ts'
import { Tags } from './tags.ts'

const nameMessage = 'Please enter a name for your secure token'
const addressMessage = 'Allowed addresses must be IP addresses or CIDR ranges'

/** An empty list means no restriction. */
const restriction = (entry: z.ZodString, label: string) =>
  z
    .array(entry)
    .max(100, `${label} must have at most 100 entries`)
    .nullable()
    .transform((entries) => (entries && entries.length > 0 ? [...new Set(entries)] : null))

const isAddressOrRange = (text: string) =>
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((schema) => schema.safeParse(text).success)

/** USD. */
const budget = (label: string) => {
  const message = `${label} must be between 0 and 1000000 USD, with at most 4 decimals`
  return z
    .number(message)
    .min(0, message)
    .max(1_000_000, message)
    .refine((usd) => Number(usd.toFixed(4)) === usd, message)
    .nullable()
}

const limit = (label: string) => {
  const message = `${label} must be a whole number from 1 to 999999999`
  return z.number(message).int(message).min(1, message).max(999_999_999, message).nullable()
}

/** Maximum length of a model name, in characters. */
export const longestModel = 200

/** Enforced by the proxy; `null`: no restriction. */
const restrictions = {
  /** Allowed models. */
  models: restriction(requiredText('Model', longestModel, 'Model must not be empty'), 'Models'),
  /** Client addresses that may use the token: IPs and CIDR ranges. */
  allowedAddresses: restriction(
    z
      .string(addressMessage)
      .trim()
      .max(64, { message: addressMessage, abort: true })
      .refine(isAddressOrRange, addressMessage),
    'Allowed addresses',
  ),
  requestsPerMinute: limit('Requests per minute'),
  /** Prompt and completion tokens together. */
  tokensPerMinute: limit('Tokens per minute'),
  /** Number of concurrent requests. */
  maxConcurrentRequests: limit('Requests at once'),
  /** Per UTC day. */
  dailyBudgetUsd: budget('Daily budget'),
  /** Per calendar month (UTC). */
  monthlyBudgetUsd: budget('Monthly budget'),
  /** Tags of all its requests. */
  tags: Tags,
}

/**
 * Number of equal parts of a budget. The last part is only for requests that surely cost less than what is left. It is
 * smaller than the promised tenth, because a stream's usage is only estimated until it ends.
 */
export const budgetParts = 16

/** Spending in the current UTC day or month. */
export const BudgetSpending = z.object({
  spentUsd: z.number().nonnegative(),
  /** Reserved for requests that are not finished. */
  reservedUsd: z.number().nonnegative(),
})
export type BudgetSpending = z.infer<typeof BudgetSpending>

/** A token's secret from before its rotation, while it is still valid. */
const PreviousSecret = z.object({
  /** Masked. */
  token: z.string(),
  expiresAt: z.iso.datetime(),
  lastUsed: z.iso.datetime().nullable(),
})

/** Source: product.md 4.1. */
export const SecureToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Masked: prefix and last 4 characters. */
  token: z.string(),
  isActive: z.boolean(),
  usageCount: z.number().int().nonnegative(),
  lastUsed: z.iso.datetime().nullable(),
  /** `null`: the token does not expire. */
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  previousSecret: PreviousSecret.nullable(),
  /** Until when its bodies are logged; `null`: as the account's configuration specifies. */
  logBodiesUntil: z.iso.datetime().nullable(),
  models: z.array(z.string()).nullable(),
  allowedAddresses: z.array(z.string()).nullable(),
  requestsPerMinute: z.number().nullable(),
  tokensPerMinute: z.number().nullable(),
  maxConcurrentRequests: z.number().nullable(),
  dailyBudgetUsd: z.number().nullable(),
  monthlyBudgetUsd: z.number().nullable(),
  tags: z.record(z.string(), z.string()).nullable(),
  /** `null`: no budget, or currently unknown. */
  dailySpending: BudgetSpending.nullable(),
  monthlySpending: BudgetSpending.nullable(),
})
export type SecureToken = z.infer<typeof SecureToken>

/** `expiresAt` is the last day on which the token works, in the account's timezone. Source: product.md 4.2. */
export const CreateSecureToken = z.object({
  name: requiredText('Name', 200, nameMessage),
  expiresAt: z.iso.date('Expiry date must be a date').optional(),
  ...z.object(restrictions).partial().shape,
})
export type CreateSecureToken = z.infer<typeof CreateSecureToken>

/** Omitted fields keep their values. */
export const ChangeSecureToken = CreateSecureToken.omit({ expiresAt: true }).partial()
export type ChangeSecureToken = z.infer<typeof ChangeSecureToken>

export const ToggleSecureToken = z.object({ isActive: z.boolean() })
export type ToggleSecureToken = z.infer<typeof ToggleSecureToken>

const graceMessage = 'Grace time must be a whole number of hours from 0 to 168'

/** Source: product.md 4.8. */
export const RotateSecureToken = z.object({
  /** How long the previous secret stays valid, hours. */
  graceHours: z.number(graceMessage).int(graceMessage).min(0, graceMessage).max(168, graceMessage),
})
export type RotateSecureToken = z.infer<typeof RotateSecureToken>

/** How long the bodies of a token's requests are logged, hours. Source: product.md 7.3. */
export const bodyLoggingHours = { hour: 1, day: 24, off: 0 } as const

export const LogTokenBodies = z.object({ for: z.enum(['hour', 'day', 'off']) })
export type LogTokenBodies = z.infer<typeof LogTokenBodies>

const fullToken = z.string().meta({ example: 'st_example' })

/** The only responses with the unmasked token. */
export const CreatedSecureToken = SecureToken.extend({ token: fullToken })
export type CreatedSecureToken = z.infer<typeof CreatedSecureToken>
export const RevealedSecureToken = z.object({ token: fullToken })
