import { z } from 'zod'
import { requiredText } from './plain-text.ts'

const priceMessage = 'Price must be between 0 and 10000 USD, with at most 6 decimals'

const usd = z
  .number(priceMessage)
  .min(0, priceMessage)
  .max(10_000, priceMessage)
  .refine((price) => Number(price.toFixed(6)) === price, priceMessage)

/** A price that an account sets, for every service tier and kind of token. Source: product.md 8.13. */
export const OwnModelPrice = z.object({
  /** A model's name, in which `*` matches any characters. */
  pattern: requiredText('Model', 255, 'Please enter a model or a pattern'),
  /** USD per million tokens. */
  input: usd,
  /** USD per million tokens; `null`: the price of other input tokens. */
  cachedInput: usd.nullable(),
  /** USD per million tokens. */
  output: usd,
  /** USD, in addition to the tokens; `null`: none. */
  perRequest: usd.nullable(),
})
export type OwnModelPrice = z.infer<typeof OwnModelPrice>

/** In the operator's file, `null` prices may be omitted. */
export const OperatorModelPrice = OwnModelPrice.extend({
  cachedInput: OwnModelPrice.shape.cachedInput.default(null),
  perRequest: OwnModelPrice.shape.perRequest.default(null),
}).strict()

/** Requests before `validFrom` keep their cost. */
export const StoredModelPrice = OwnModelPrice.extend({ id: z.uuid(), validFrom: z.iso.datetime() })
export type StoredModelPrice = z.infer<typeof StoredModelPrice>
