import { z } from 'zod'
import { count, numberMessage, wholeNumber } from './numbers.ts'
import { optionalText, requiredName, requiredText } from './plain-text.ts'
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
    .number(numberMessage(label))
    .min(0, message)
    .max(1_000_000, message)
    .refine((usd) => Number(usd.toFixed(4)) === usd, message)
    .nullable()
}

const limit = (label: string) => {
  const message = `${label} must be a whole number from 1 to 999999999`
  return wholeNumber(1, 999_999_999, message).nullable()
}

/** Maximum length of a model name, in characters. */
export const longestModel = 200

/** Enforced by the proxy. */
const restrictions = {
  models: restriction(requiredText('Model', longestModel, 'Model must not be empty'), 'Models').describe(
    'Allowed models; `null`: all.',
  ),
  allowedAddresses: restriction(
    z
      .string(addressMessage)
      .trim()
      .max(64, { message: addressMessage, abort: true })
      .refine(isAddressOrRange, addressMessage),
    'Allowed addresses',
  ).describe('Client addresses that may use the token: IPs and CIDR ranges; `null`: all.'),
  requestsPerMinute: limit('Requests per minute').describe('`null`: no limit.'),
  tokensPerMinute: limit('Tokens per minute').describe('Prompt and completion tokens together; `null`: no limit.'),
  maxConcurrentRequests: limit('Requests at once').describe('`null`: no limit.'),
  dailyBudgetUsd: budget('Daily budget').describe('Per UTC day; `null`: no limit.'),
  monthlyBudgetUsd: budget('Monthly budget').describe('Per calendar month (UTC); `null`: no limit.'),
  tags: Tags.describe('Tags of all its requests; `null`: none.'),
}

/**
 * Number of equal parts of a budget. Once only the last part is left, it must cover the maximum cost of a request that
 * can't be ended early. It is smaller than the promised tenth, because a stream's usage is estimated until it ends.
 */
export const budgetParts = 16

/** Spending in the current UTC day or month. */
export const BudgetSpending = z.object({
  spentUsd: z.number().nonnegative().describe('In the current UTC day or month.'),
  reservedUsd: z.number().nonnegative().describe('Reserved for requests that are not finished.'),
})
export type BudgetSpending = z.infer<typeof BudgetSpending>

/** A token's secret from before its rotation, while it is still valid. */
const PreviousSecret = z.object({
  token: z.string().describe('Masked.'),
  expiresAt: z.iso.datetime(),
  lastUsed: z.iso.datetime().nullable(),
})

const unlessAll = z.array(z.string()).nullable().describe('`null`: all.')
const spending = BudgetSpending.nullable().describe('`null`: no budget, or currently unknown.')
const unlessUnlimited = z.number().nullable().describe('`null`: no limit.')

/** Source: product.md 4.1. */
export const SecureToken = z.object({
  id: z.uuid(),
  name: z.string(),
  token: z.string().describe('Masked: prefix and last 4 characters.'),
  isActive: z.boolean(),
  usageCount: count.describe('Number of requests.'),
  lastUsed: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable().describe('`null`: the token does not expire.'),
  createdAt: z.iso.datetime(),
  previousSecret: PreviousSecret.nullable().describe('The secret from before the last rotation, while it is valid.'),
  logBodiesUntil: z.iso
    .datetime()
    .nullable()
    .describe("Until when its bodies are logged; `null`: as the account's configuration specifies."),
  models: unlessAll,
  allowedAddresses: unlessAll,
  requestsPerMinute: unlessUnlimited,
  tokensPerMinute: unlessUnlimited,
  maxConcurrentRequests: unlessUnlimited,
  dailyBudgetUsd: unlessUnlimited,
  monthlyBudgetUsd: unlessUnlimited,
  tags: z.record(z.string(), z.string()).nullable(),
  dailySpending: spending,
  monthlySpending: spending,
})
export type SecureToken = z.infer<typeof SecureToken>

export const longestTokenPage = 200

const pageMessage = `Limit must be a whole number from 1 to ${longestTokenPage}`

/** Creation of the last token on a page, µs since 1970, and its id: the token itself may have been deleted meanwhile. */
const cursor = z.string().regex(/^\d{1,17}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'Expected the cursor of a page')

/** Source: product.md 8.7. */
export const SecureTokenQuery = z.object({
  limit: z.coerce
    .number(pageMessage)
    .int(pageMessage)
    .min(1, pageMessage)
    .max(longestTokenPage, pageMessage)
    .optional()
    .describe(`Length of a page, at most ${longestTokenPage}; default: all tokens.`),
  cursor: cursor.optional().describe('`x-next-cursor` of the previous page.'),
  search: optionalText('Search', 200).describe('Part of the name, in upper or lower case.'),
  id: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.uuid()).max(100, 'Expected at most 100 ids'))
    .optional()
    .describe('Ids, with commas between them.'),
})
export type SecureTokenQuery = z.infer<typeof SecureTokenQuery>

/** Source: product.md 4.2. */
export const CreateSecureToken = z.object({
  name: requiredName('Name', 200, nameMessage),
  expiresAt: z.iso
    .date({ error: 'Expiry date must be a date', abort: true })
    // The end of that day may be in the year 10000, for which JSON has no form.
    .refine((day) => day < '9999-12-31', 'Expiry date must be before 9999-12-31')
    .optional()
    .meta({ example: '2099-12-31' })
    .describe("Last day on which the token works, in the account's timezone; default: no expiry."),
  ...z.object(restrictions).partial().shape,
})
export type CreateSecureToken = z.infer<typeof CreateSecureToken>

/** Omitted fields keep their values. */
export const ChangeSecureToken = CreateSecureToken.omit({ expiresAt: true })
  .extend({ isActive: SecureToken.shape.isActive })
  .partial()
export type ChangeSecureToken = z.infer<typeof ChangeSecureToken>

export const ToggleSecureToken = z.object({ isActive: z.boolean() })
export type ToggleSecureToken = z.infer<typeof ToggleSecureToken>

const graceMessage = 'Grace time must be a whole number of hours from 0 to 168'

/** Source: product.md 4.8. */
export const RotateSecureToken = z.object({
  graceHours: wholeNumber(0, 168, graceMessage).describe('How long the previous secret stays valid, hours.'),
})
export type RotateSecureToken = z.infer<typeof RotateSecureToken>

/** How long the bodies of a token's requests are logged, hours. Source: product.md 7.3. */
export const bodyLoggingHours = { hour: 1, day: 24, off: 0 } as const

export const LogTokenBodies = z.object({
  for: z.enum(['hour', 'day', 'off']).describe('How long bodies are logged from now on; `off`: no longer.'),
})
export type LogTokenBodies = z.infer<typeof LogTokenBodies>

const fullToken = z.string().meta({ example: 'st_example' })

/** The only responses with the unmasked token. */
export const CreatedSecureToken = SecureToken.extend({ token: fullToken })
export type CreatedSecureToken = z.infer<typeof CreatedSecureToken>
export const RevealedSecureToken = z.object({ token: fullToken })
