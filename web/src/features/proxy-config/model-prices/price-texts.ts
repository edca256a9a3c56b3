import { z } from 'zod'
import { LongPromptPrice, OwnModelPrice } from '#schemas/own-model-prices.ts'

const numberText = z.string().transform((text) => (text.trim() === '' ? null : Number(text)))

const { pattern, input, cachedInput, output, perRequest, cacheWrite, audioInput } = OwnModelPrice.shape
const long = LongPromptPrice.shape

/** A price as edited in a form: all fields are text, and an empty one means none. */
export const PriceTexts = z
  .object({
    pattern,
    input: numberText.pipe(input),
    cachedInput: numberText.pipe(cachedInput),
    output: numberText.pipe(output),
    perRequest: numberText.pipe(perRequest),
    cacheWrite: numberText.pipe(cacheWrite.unwrap()),
    audioInput: numberText.pipe(audioInput.unwrap()),
    longAboveTokens: numberText.pipe(long.aboveTokens.nullable()),
    longInput: numberText.pipe(long.input.nullable()),
    longOutput: numberText.pipe(long.output.nullable()),
  })
  .transform(({ longAboveTokens, longInput, longOutput, ...price }, context): OwnModelPrice => {
    if (longAboveTokens !== null && longInput !== null && longOutput !== null) {
      return { ...price, longPrompts: { aboveTokens: longAboveTokens, input: longInput, output: longOutput } }
    }
    const empty = Object.entries({ longAboveTokens, longInput, longOutput }).filter(([, value]) => value === null)
    if (empty.length < 3) {
      for (const [name] of empty)
        context.addIssue({ code: 'custom', path: [name], message: 'Long prompts need this too' })
    }
    return { ...price, longPrompts: null }
  })
export type PriceTexts = z.input<typeof PriceTexts>

/** Without an exponent, which is hard to read. */
const textOf = (price: number | null | undefined) => price?.toFixed(6).replace(/\.?0+$/, '') ?? ''

/** @param price undefined for a new one */
export const textsOf = (price?: OwnModelPrice): PriceTexts => ({
  pattern: price?.pattern ?? '',
  input: textOf(price?.input),
  cachedInput: textOf(price?.cachedInput),
  output: textOf(price?.output),
  perRequest: textOf(price?.perRequest),
  cacheWrite: textOf(price?.cacheWrite),
  audioInput: textOf(price?.audioInput),
  longAboveTokens: price?.longPrompts?.aboveTokens.toString() ?? '',
  longInput: textOf(price?.longPrompts?.input),
  longOutput: textOf(price?.longPrompts?.output),
})
