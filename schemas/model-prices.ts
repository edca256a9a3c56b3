import { z } from 'zod'
import table from './model-prices.json' with { type: 'json' }

const ModelPrice = z.strictObject({
  input: z.number().nonnegative(),
  /** Unset: cached tokens have the price of the others. */
  cachedInput: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
  /** Prompts above a size are charged by a multiple, for all of their tokens. */
  longContext: z
    .strictObject({ aboveTokens: z.number().int(), inputFactor: z.number(), outputFactor: z.number() })
    .optional(),
})
type ModelPrice = z.infer<typeof ModelPrice>

const prices: ReadonlyMap<string, ModelPrice> = new Map(
  Object.entries(z.record(z.string(), ModelPrice).parse(table.models)),
)

/** USD for a million tokens is nano-USD for a thousandth of one. */
const nanoUsdPerToken = 1_000

/** `-2024-08-06`, `-0613` and `-preview`: a version of the model in front of it. */
const versionSuffix = /-(?:\d{4}-\d{2}-\d{2}|\d{4}|preview|latest)$/

export interface TokenCounts {
  promptTokens: number
  completionTokens: number
  cachedTokens: number
}

/** Price of a model by its name, its dated names or with a vendor in front (`openai/gpt-4o`). */
function findPrice(model: string): ModelPrice | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return prices.get(name) ?? prices.get(name.replace(versionSuffix, ''))
}

/**
 * Cost of a request in nano-USD, a whole number.
 * @returns null when the table has no price for the model: an unknown cost is never 0
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
