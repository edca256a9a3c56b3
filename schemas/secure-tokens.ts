import { z } from 'zod'
import { requiredText } from './plain-text.ts'

const nameMessage = 'Please enter a name for your secure token'
const budgetMessage = 'Monthly budget must be between 0 and 1000000 USD, with at most 4 decimals'
const addressMessage = 'Allowed addresses must be IP addresses or CIDR ranges'

/** An empty list is no restriction. */
const restriction = (entry: z.ZodString, label: string) =>
  z
    .array(entry)
    .max(100, `${label} must have at most 100 entries`)
    .nullable()
    .transform((entries) => (entries && entries.length > 0 ? [...new Set(entries)] : null))

const isAddressOrRange = (text: string) =>
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((schema) => schema.safeParse(text).success)

/** Longest name of a model, in characters. */
export const longestModel = 200

/** Enforced by the proxy; `null`: no restriction. */
const restrictions = {
  /** Allowed models. */
  models: restriction(requiredText('Model', longestModel, 'Model must not be empty'), 'Models'),
  /** Budget of a calendar month (UTC), USD. */
  monthlyBudgetUsd: z
    .number(budgetMessage)
    .min(0, budgetMessage)
    .max(1_000_000, budgetMessage)
    .multipleOf(0.0001, budgetMessage)
    .nullable(),
  /** Client addresses that may use the token: IPs and CIDR ranges. */
  allowedAddresses: restriction(
    z
      .string(addressMessage)
      .trim()
      .max(64, { message: addressMessage, abort: true })
      .refine(isAddressOrRange, addressMessage),
    'Allowed addresses',
  ),
}

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
  models: z.array(z.string()).nullable(),
  monthlyBudgetUsd: z.number().nullable(),
  allowedAddresses: z.array(z.string()).nullable(),
})
export type SecureToken = z.infer<typeof SecureToken>

/** `expiresAt` is the last day on which the token works, in the account's timezone. Source: product.md 4.2. */
export const CreateSecureToken = z.object({
  name: requiredText('Name', 200, nameMessage),
  expiresAt: z.iso.date('Expiry date must be a date').optional(),
  models: restrictions.models.optional(),
  monthlyBudgetUsd: restrictions.monthlyBudgetUsd.optional(),
  allowedAddresses: restrictions.allowedAddresses.optional(),
})
export type CreateSecureToken = z.infer<typeof CreateSecureToken>

/** Omitted fields keep their values. */
export const ChangeSecureToken = CreateSecureToken.omit({ expiresAt: true }).partial()
export type ChangeSecureToken = z.infer<typeof ChangeSecureToken>

export const ToggleSecureToken = z.object({ isActive: z.boolean() })
export type ToggleSecureToken = z.infer<typeof ToggleSecureToken>

/** The only two responses with the unmasked token. */
export const CreatedSecureToken = SecureToken.extend({ token: z.string() })
export const RevealedSecureToken = z.object({ token: z.string() })
