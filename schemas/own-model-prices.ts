import { z } from 'zod'
import { numberMessage } from './numbers.ts'
import { requiredText } from './plain-text.ts'

const priceMessage = 'Price must be between 0 and 10000 USD, with at most 6 decimals'

const usd = z
  .number(numberMessage('Price'))
  .min(0, priceMessage)
  .max(10_000, priceMessage)
  .refine((price) => Number(price.toFixed(6)) === price, priceMessage)

/** A price that an account sets, for every service tier and kind of token. Source: product.md 8.13. */
export const OwnModelPrice = z.object({
  pattern: requiredText('Model', 255, 'Please enter a model or a pattern').describe(
    "A model's name, in which `*` matches any characters.",
  ),
  input: usd.describe('USD per million tokens.'),
  cachedInput: usd.nullable().describe('USD per million tokens; `null`: the price of other input tokens.'),
  output: usd.describe('USD per million tokens.'),
  perRequest: usd.nullable().describe('USD, in addition to the tokens; `null`: none.'),
})
export type OwnModelPrice = z.infer<typeof OwnModelPrice>

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
