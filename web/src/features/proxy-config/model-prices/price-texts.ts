import { z } from 'zod'
import { OwnModelPrice } from '#schemas/own-model-prices.ts'

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

/** @param price in USD */
export const formatPrice = (price: number) => usd.format(price)

const numberText = z.string().transform((text) => (text.trim() === '' ? null : Number(text)))

const { pattern, input, cachedInput, output, perRequest } = OwnModelPrice.shape

/** A price as edited in a form: all fields are text, and an empty one means none. */
export const PriceTexts = z.object({
  pattern,
  input: numberText.pipe(input),
  cachedInput: numberText.pipe(cachedInput),
  output: numberText.pipe(output),
  perRequest: numberText.pipe(perRequest),
})
type PriceTexts = z.input<typeof PriceTexts>

export const emptyTexts: PriceTexts = { pattern: '', input: '', cachedInput: '', output: '', perRequest: '' }

/** Without an exponent, which is hard to read. */
const textOf = (price: number | null) => price?.toFixed(6).replace(/\.?0+$/, '') ?? ''

export const textsOf = (price: OwnModelPrice): PriceTexts => ({
  pattern: price.pattern,
  input: textOf(price.input),
  cachedInput: textOf(price.cachedInput),
  output: textOf(price.output),
  perRequest: textOf(price.perRequest),
})
