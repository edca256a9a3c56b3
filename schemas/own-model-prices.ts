import { z } from 'zod'
import { numberMessage, wholeNumber } from './numbers.ts'
import { requiredText } from './plain-text.ts'

const priceMessage = 'Price must be between 0 and 10000 USD, with at most 6 decimals'

const usd = z
  .number(numberMessage('Price'))
  .min(0, priceMessage)
  .max(10_000, priceMessage)
  .refine((price) => Number(price.toFixed(6)) === price, priceMessage)

const usdPerMillion = usd.describe('USD per million tokens.')

/** All tokens of a request with a longer prompt have these prices. Prices of other kinds of input rise as that of input. */
export const LongPromptPrice = z.strictObject({
  aboveTokens: wholeNumber(1, 100_000_000, 'Tokens must be a whole number from 1 to 100000000').describe(
    'The longest prompt that has the usual prices, in tokens, cached ones included.',
  ),
  input: usdPerMillion,
  output: usdPerMillion,
})
export type LongPromptPrice = z.infer<typeof LongPromptPrice>

/** A price that an account sets, for every service tier. Source: product.md 8.13. */
export const OwnModelPrice = z.object({
  pattern: requiredText('Model', 255, 'Please enter a model or a pattern').describe(
    "A model's name, in which `*` matches any characters.",
  ),
  input: usdPerMillion,
  cachedInput: usd.nullable().describe('USD per million tokens; `null`: the price of other input tokens.'),
  output: usdPerMillion,
  perRequest: usd.nullable().describe('USD, in addition to the tokens; `null`: none.'),
  cacheWrite: usd
    .nullable()
    .default(null)
    .describe(
      'USD per million tokens that are written to a cache; `null`: 1.25 times the input. For one hour they cost twice the input.',
    ),
  audioInput: usd
    .nullable()
    .default(null)
    .describe(
      'USD per million tokens of audio; `null`: the price of other input tokens. Cached ones cost as much less as cached input.',
    ),
  longPrompts: LongPromptPrice.nullable()
    .default(null)
    .describe('Prices of requests with long prompts, cached tokens and cache writes in proportion; `null`: as others.'),
})
export type OwnModelPrice = z.infer<typeof OwnModelPrice>
/** As it is sent, and as it is written in the operator's file. */
export type SentModelPrice = z.input<typeof OwnModelPrice>

/** In the operator's file, `null` prices may be omitted. */
export const OperatorModelPrice = OwnModelPrice.extend({
  cachedInput: OwnModelPrice.shape.cachedInput.default(null),
  perRequest: OwnModelPrice.shape.perRequest.default(null),
}).strict()

export const StoredModelPrice = OwnModelPrice.extend({
  id: z.uuid(),
  validFrom: z.iso.datetime().describe('Requests before this time keep their cost.'),
})
export type StoredModelPrice = z.infer<typeof StoredModelPrice>
