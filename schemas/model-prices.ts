import { z } from 'zod'
import table from './model-prices.json' with { type: 'json' }

const ModelPrice = z.strictObject({
  input: z.number().nonnegative(),
  /** Default: the price of other input tokens. */
  cachedInput: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
  /** Above this prompt size, all tokens cost a multiple. */
  longContext: z
    .strictObject({ aboveTokens: z.number().int(), inputFactor: z.number(), outputFactor: z.number() })
    .optional(),
})
type ModelPrice = z.infer<typeof ModelPrice>

const prices: ReadonlyMap<string, ModelPrice> = new Map(
  Object.entries(z.record(z.string(), ModelPrice).parse(table.models)),
)

/** The table has USD per million tokens. */
const nanoUsdPerToken = 1_000

/** Version of a model, such as `-2024-08-06`, `-0613` or `-preview`. */
const versionSuffix = /-(?:\d{4}-\d{2}-\d{2}|\d{4}|preview|latest)$/

export interface TokenCounts {
  promptTokens: number
  completionTokens: number
  cachedTokens: number
}

/** Matches with and without a version, and after a vendor prefix (`openai/gpt-4o`). */
function findPrice(model: string): ModelPrice | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return prices.get(name) ?? prices.get(name.replace(versionSuffix, ''))
}

/**
 * Cost of a request in nano-USD, a whole number.
 * @returns null without a known price: an unknown cost is never 0
 */
export function costNanoUsd(model: string, tokens: TokenCounts): number | null {
  const price = findPrice(model)
  if (!price) return null
  const long = price.longContext && tokens.promptTokens > price.longContext.aboveTokens ? price.longContext : undefined
  const cached = Math.min(tokens.cachedTokens, tokens.promptTokens)
  const input = (tokens.promptTokens - cached) * price.input + cached * (price.cachedInput ?? price.input)
  const output = tokens.completionTokens * price.output
  return Math.round((input * (long?.inputFactor ?? 1) + output * (long?.outputFactor ?? 1)) * nanoUsdPerToken)
}
