import { z } from 'zod'

/** USD per million tokens, or per request. */
const usd = z.number().nonnegative().max(999_999_999)

/** A price that an account or the operator sets. It holds for every service tier and kind of token. */
export const OwnModelPrice = z.strictObject({
  /** Name of a model, in which `*` stands for any characters. */
  pattern: z.string().min(1).max(200),
  input: usd,
  /** `null`: that of other input tokens. */
  cachedInput: usd.nullable().default(null),
  output: usd,
  /** In addition to tokens. */
  perRequest: usd.nullable().default(null),
})
export type OwnModelPrice = z.infer<typeof OwnModelPrice>
