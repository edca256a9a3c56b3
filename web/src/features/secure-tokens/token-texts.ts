import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { CreateSecureToken, type SecureToken } from '#schemas/secure-tokens.ts'
import { gatewayNow } from '#web/lib/browser/gateway-clock.ts'
import { readTypedList, toTypedList } from '#web/lib/text/typed-list.ts'

/** Today in the account's time zone, which the server uses, too. Swedish: in Safari 16, Canadian days are no ISO dates. */
export const today = (zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(gatewayNow())

/** Parses a text with its field's schema, whose first issue is shown at the field. */
const textOf = <Contract extends z.ZodType>(contract: Contract, read: (text: string) => unknown) =>
  z.string().transform((text, context): z.output<Contract> => {
    const { success, data, error } = contract.safeParse(read(text))
    if (success) return data
    context.addIssue({ code: 'custom', message: error.issues[0]?.message ?? '' })
    return z.NEVER
  })

/** Parses `customer=acme, feature=search`. */
const tagsIn = (text: string) =>
  Object.fromEntries(
    readTypedList(text).map((tag) => {
      const [key = '', ...value] = tag.split('=')
      return [key.trim(), value.join('=')]
    }),
  )

const fields = CreateSecureToken.shape
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

/** A secure token as edited in a form: all fields are text, and an empty one means none. */
export const TokenTexts = z.object({
  name: fields.name,
  expiresAt: textOf(fields.expiresAt, (text) => text || undefined),
  models: textOf(fields.models, readTypedList),
  allowedAddresses: textOf(fields.allowedAddresses, (text) => text.split(/[\s,]+/).filter(Boolean)),
  requestsPerMinute: textOf(fields.requestsPerMinute, numberOf),
  tokensPerMinute: textOf(fields.tokensPerMinute, numberOf),
  maxConcurrentRequests: textOf(fields.maxConcurrentRequests, numberOf),
  dailyBudgetUsd: textOf(fields.dailyBudgetUsd, numberOf),
  monthlyBudgetUsd: textOf(fields.monthlyBudgetUsd, numberOf),
  tags: textOf(fields.tags, tagsIn),
})
export type TokenTexts = z.input<typeof TokenTexts>
export type TokenForm = UseFormReturn<TokenTexts, unknown, z.output<typeof TokenTexts>>

/** The same for a new token, which must not have expired already. */
export const newTokenTexts = (zone: string) =>
  TokenTexts.extend({
    expiresAt: TokenTexts.shape.expiresAt.refine((day) => day === undefined || day >= today(zone), {
      message: 'The expiry date must be today or later',
    }),
  })

/** What is sent for a new token: its name, and what else was entered. */
export function enteredValues({ name, ...others }: CreateSecureToken): CreateSecureToken {
  return { name, ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null)) }
}

export const emptyTexts: TokenTexts = {
  name: '',
  expiresAt: '',
  models: '',
  allowedAddresses: '',
  requestsPerMinute: '',
  tokensPerMinute: '',
  maxConcurrentRequests: '',
  dailyBudgetUsd: '',
  monthlyBudgetUsd: '',
  tags: '',
}

/** Without the expiry date, which can't be changed. */
export const textsOf = (token: SecureToken): TokenTexts => ({
  ...emptyTexts,
  name: token.name,
  models: toTypedList(token.models ?? []),
  allowedAddresses: token.allowedAddresses?.join(', ') ?? '',
  requestsPerMinute: token.requestsPerMinute?.toString() ?? '',
  tokensPerMinute: token.tokensPerMinute?.toString() ?? '',
  maxConcurrentRequests: token.maxConcurrentRequests?.toString() ?? '',
  dailyBudgetUsd: token.dailyBudgetUsd?.toString() ?? '',
  monthlyBudgetUsd: token.monthlyBudgetUsd?.toString() ?? '',
  tags: toTypedList(Object.entries(token.tags ?? {}).map(([key, value]) => `${key}=${value}`)),
})
