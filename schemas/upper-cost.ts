import { type CompiledPrice, ratesOf, toNanoUsd } from './price-rates.ts'

const writeRates = { minutes: 'cacheWrite', hour: 'hourCacheWrite', halfDay: 'halfDayCacheWrite' } as const

interface Expected {
  promptTokens: number
  maxCompletionTokens: number
  serviceTier?: string | undefined
  /** For how long the provider is asked to keep the prompt in its cache, which it may charge for. */
  cachesFor?: keyof typeof writeRates | undefined
  /** Of audio; undefined if the request has none. */
  maxSeconds?: number | undefined
}

/** A token has about four bytes. */
const charactersPerToken = 4

/** @returns the maximum cost of a request in nano-USD; `null` if it does not depend on its tokens alone */
export function upperCostOf(price: CompiledPrice, expected: Expected): number | null {
  const { promptTokens, maxCompletionTokens, serviceTier, cachesFor, maxSeconds } = expected
  if (price.perCharacter !== undefined) {
    return toNanoUsd(price.perRequest + promptTokens * charactersPerToken * price.perCharacter)
  }
  if (price.perSecond !== undefined) {
    return maxSeconds === undefined ? null : toNanoUsd(price.perRequest + maxSeconds * price.perSecond)
  }
  const rates = ratesOf(price, promptTokens, serviceTier)
  if (!rates) return null
  const written = cachesFor ? rates[writeRates[cachesFor]] : 0
  const input = Math.max(rates.input, rates.audioInput, rates.imageInput, written)
  const output = Math.max(rates.output, rates.audioOutput, rates.imageOutput)
  return toNanoUsd(price.perRequest + (promptTokens * input + maxCompletionTokens * output) * price.tokenFactor)
}
