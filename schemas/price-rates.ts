import { z } from 'zod'
import type { LongPromptPrice } from './own-model-prices.ts'

const usd = z.number().nonnegative()

const TextPrice = z.strictObject({ input: usd, cachedInput: usd.optional(), output: usd })

/** USD per million tokens or characters, per minute or per request. `toRates` fills in omitted ones. */
export const ModelPrice = z.strictObject({
  /** First day on which the price applies (UTC); default: always. */
  validFrom: z.iso.date().optional(),
  ...TextPrice.partial().shape,
  /** Tokens of the longest input, of a model whose input is a file: that may be far larger. */
  maxInput: z.number().int().positive().optional(),
  cacheWrite: usd.optional(),
  audioInput: usd.optional(),
  cachedAudioInput: usd.optional(),
  audioOutput: usd.optional(),
  imageInput: usd.optional(),
  cachedImageInput: usd.optional(),
  imageOutput: usd.optional(),
  perRequest: usd.optional(),
  /** Of the older tool `web_search_preview`; default: as much as other searches. */
  perPreviewSearch: usd.optional(),
  perMinute: usd.optional(),
  perMillionCharacters: usd.optional(),
  /** Above this prompt size, all tokens cost a multiple. */
  longContext: z
    .strictObject({ aboveTokens: z.number().int(), inputFactor: z.number(), outputFactor: z.number() })
    .optional(),
  /** Prices of service tiers: multiples of the standard price, or separate prices. Other tiers have no known price. */
  tiers: z.record(z.string(), z.union([z.number(), TextPrice])).optional(),
})
export type ModelPrice = z.infer<typeof ModelPrice>

/** The billed usage of a response. Counts by kind of token are parts of `promptTokens` and `completionTokens`. */
export interface BilledUsage {
  /** The whole input, cached or not. */
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  cacheWriteTokens?: number
  /** Written to a one-hour cache; not included in `cacheWriteTokens`. */
  hourCacheWriteTokens?: number
  /** Written to a cache of twelve hours; not included in `cacheWriteTokens`. */
  halfDayCacheWriteTokens?: number
  audioPromptTokens?: number
  cachedAudioTokens?: number
  audioCompletionTokens?: number
  imagePromptTokens?: number
  cachedImageTokens?: number
  imageCompletionTokens?: number
  /** Seconds of audio, if billed by time. */
  seconds?: number
  characters?: number
  /** Web searches of the provider, which it bills in addition to their tokens. */
  webSearches?: number
  /** With the older tool, which has its own price for some models; not included in `webSearches`. */
  previewSearches?: number
  /** As the provider names it, such as `default`, `flex`, `priority` or `batch`. */
  serviceTier?: string
  /** The window within which the provider could complete a background response at the standard tier. */
  completionWindow?: CompletionWindow
  /** By which all prices of tokens are multiplied; null: unknown. */
  tokenFactor?: number | null
  /** The model's calls, if there were several: each has the price of its prompt's size. Their sum is in the counts above. */
  calls?: readonly BilledUsage[]
}

/** Pico-USD per token, as whole numbers, so that sums don't depend on their order. */
type Rates = {
  input: number
  cachedInput: number
  cacheWrite: number
  hourCacheWrite: number
  halfDayCacheWrite: number
  output: number
  audioInput: number
  cachedAudioInput: number
  audioOutput: number
  imageInput: number
  cachedImageInput: number
  imageOutput: number
}

interface RatesBySize {
  usual: Rates
  long: Rates
}

export interface CompiledPrice {
  /** ms */
  validFrom: number
  /** Undefined if tokens have no price. */
  rates: RatesBySize | undefined
  tiers: ReadonlyMap<string, RatesBySize>
  /** The longest prompt with the usual rates. */
  longAboveTokens: number
  /** Whether nothing but the request has a price. */
  isPerRequest: boolean
  /** Whether the price is the same in every service tier. */
  isForAllTiers: boolean
  /** By which all prices of tokens are multiplied. */
  tokenFactor: number
  maxInput: number
  /** Pico-USD. */
  perRequest: number
  perPreviewSearch: number
  perSecond: number | undefined
  perCharacter: number | undefined
}

/** The price of OpenAI and of Anthropic, for all models. */
export const webSearchUsd = 0.01

/** 1 USD per million tokens is a million pico-USD per token. */
const picoUsdPerToken = 1_000_000
const picoUsd = 1e12
const picoUsdPerNanoUsd = 1_000

/** Prices of cache writes, as multiples of the input price: Anthropic's, and those of OpenAI's models that charge. */
const [cacheWriteFactor, hourCacheWriteFactor, halfDayCacheWriteFactor] = [1.25, 2, 2.5]

/**
 * Shares of the standard price in the windows within which a background response may be completed.
 * Source: https://developers.openai.com/api/docs/guides/background
 */
const windowShares = { '2h': 0.7, '8h': 0.6 }
export type CompletionWindow = keyof typeof windowShares
export const completionWindows: readonly CompletionWindow[] = ['2h', '8h']

/** Providers' names of the default tier, and the newer name of `priority`. */
const standardTiers = new Set(['default', 'auto', 'standard'])
const fastTier = 'fast'
const isStandard = (tier = 'default') => standardTiers.has(tier)

function toRates(price: Partial<Omit<ModelPrice, 'longContext'>>): Rates | undefined {
  const { input, output } = price
  if (input === undefined || output === undefined) return undefined
  const cachedInput = price.cachedInput ?? input
  const { audioInput = input, imageInput = input } = price
  const rates: Rates = {
    input,
    cachedInput,
    cacheWrite: price.cacheWrite ?? input * cacheWriteFactor,
    hourCacheWrite: input * hourCacheWriteFactor,
    halfDayCacheWrite: input * halfDayCacheWriteFactor,
    output,
    audioInput,
    cachedAudioInput: price.cachedAudioInput ?? (price.audioInput === undefined ? cachedInput : audioInput),
    audioOutput: price.audioOutput ?? output,
    imageInput,
    cachedImageInput: price.cachedImageInput ?? (price.imageInput === undefined ? cachedInput : imageInput),
    imageOutput: price.imageOutput ?? output,
  }
  return mapRates(rates, (usdPerMillion) => Math.round(usdPerMillion * picoUsdPerToken))
}

const mapRates = (rates: Rates, change: (rate: number, kind: keyof Rates) => number) =>
  Object.fromEntries(Object.entries(rates).map(([kind, rate]) => [kind, change(rate, kind as keyof Rates)])) as Rates

const outputKinds: ReadonlySet<keyof Rates> = new Set(['output', 'audioOutput', 'imageOutput'])

/** No factor leads from a price of 0 to another one; then each rate is at least the price of long prompts. */
const scale = (rate: number, from: number, to: number) =>
  from === 0 ? Math.max(rate, to * picoUsdPerToken) : (rate * to) / from

/** Prices by size are computed in advance, as whole numbers, so that costs are exact. */
function bySize(usual: Rates | undefined, price: OwnOrListedPrice): RatesBySize | undefined {
  const { longContext: long, input = 0, output = 0 } = price
  if (!usual || !long) return usual && { usual, long: usual }
  const [longInput, longOutput] =
    'input' in long ? [long.input, long.output] : [input * long.inputFactor, output * long.outputFactor]
  const toLong = (rate: number, kind: keyof Rates) =>
    Math.round(outputKinds.has(kind) ? scale(rate, output, longOutput) : scale(rate, input, longInput))
  return { usual, long: mapRates(usual, toLong) }
}

type OwnOrListedPrice = Omit<ModelPrice, 'longContext'> & {
  longContext?: ModelPrice['longContext'] | LongPromptPrice
}

export function compilePrice(price: OwnOrListedPrice, isForAllTiers = false): CompiledPrice {
  const rates = toRates(price)
  const tiers = Object.entries(price.tiers ?? {}).map(([tier, own]): [string, RatesBySize | undefined] => [
    tier,
    bySize(typeof own === 'number' ? rates && mapRates(rates, (rate) => Math.round(rate * own)) : toRates(own), price),
  ])
  const sized = bySize(rates, price)
  const all = sized ? [...Object.values(sized.usual), ...Object.values(sized.long)] : []
  const perRequest = Math.round((price.perRequest ?? 0) * picoUsd)
  return {
    validFrom: price.validFrom === undefined ? Number.NEGATIVE_INFINITY : Date.parse(price.validFrom),
    rates: sized,
    tiers: new Map(tiers.filter((entry): entry is [string, RatesBySize] => entry[1] !== undefined)),
    longAboveTokens: price.longContext?.aboveTokens ?? Number.POSITIVE_INFINITY,
    isPerRequest: perRequest > 0 && sized !== undefined && all.every((rate) => rate === 0),
    isForAllTiers,
    tokenFactor: 1,
    maxInput: price.maxInput ?? (price.perMinute === undefined ? Number.POSITIVE_INFINITY : 0),
    perRequest,
    perPreviewSearch: Math.round((price.perPreviewSearch ?? webSearchUsd) * picoUsd),
    perSecond: price.perMinute === undefined ? undefined : (price.perMinute * picoUsd) / 60,
    perCharacter: price.perMillionCharacters && Math.round(price.perMillionCharacters * picoUsdPerToken),
  }
}

/** @returns nano-USD, a whole number; `null` if a part of the usage has no known price */
export function costOf(price: CompiledPrice, usage: BilledUsage): number | null {
  let cost = price.perRequest
  if (usage.seconds !== undefined) {
    if (price.perSecond === undefined) return price.perRequest > 0 ? toNanoUsd(cost) : null
    cost += usage.seconds * price.perSecond
  } else if (usage.characters !== undefined) {
    if (price.perCharacter === undefined) return price.perRequest > 0 ? toNanoUsd(cost) : null
    cost += usage.characters * price.perCharacter
  } else {
    const { tokenFactor = 1, calls, serviceTier: tier, completionWindow: window } = usage
    const tokens = calls ? callsCost(price, calls, tier) : tokenCost(price, usage, tier)
    if (tokens === undefined || tokenFactor === null) return null
    const share = window && !price.isForAllTiers && isStandard(tier) ? windowShares[window] : 1
    cost += tokens * tokenFactor * price.tokenFactor * share
    cost += (usage.webSearches ?? 0) * webSearchUsd * picoUsd + (usage.previewSearches ?? 0) * price.perPreviewSearch
  }
  return toNanoUsd(cost)
}

export const toNanoUsd = (cost: number) => Math.round(cost / picoUsdPerNanoUsd)

export function ratesOf(price: CompiledPrice, promptTokens: number, tier = 'default'): Rates | undefined {
  const rates =
    price.isForAllTiers || isStandard(tier) ? price.rates : price.tiers.get(tier === fastTier ? 'priority' : tier)
  return promptTokens > price.longAboveTokens ? rates?.long : rates?.usual
}

function tokenCost(price: CompiledPrice, usage: BilledUsage, tier: string | undefined): number | undefined {
  const rates = ratesOf(price, usage.promptTokens, tier)
  return rates && inputCost(rates, usage) + outputCost(rates, usage)
}

const callsCost = (price: CompiledPrice, calls: readonly BilledUsage[], tier: string | undefined) =>
  calls.reduce<number | undefined>((sum, call) => {
    const cost = tokenCost(price, call, tier)
    return sum === undefined || cost === undefined ? undefined : sum + cost
  }, 0)

/** Caps each part at the remainder of the total. */
function inputCost(rates: Rates, usage: BilledUsage): number {
  let left = usage.promptTokens
  const take = (tokens: number | undefined) => {
    const taken = Math.max(0, Math.min(tokens ?? 0, left))
    left -= taken
    return taken
  }
  const cachedAudio = take(usage.cachedAudioTokens)
  const cachedImage = take(usage.cachedImageTokens)
  const cached = take(usage.cachedTokens - cachedAudio - cachedImage)
  const audio = take((usage.audioPromptTokens ?? 0) - cachedAudio)
  const image = take((usage.imagePromptTokens ?? 0) - cachedImage)
  const written = take(usage.cacheWriteTokens)
  const writtenForAnHour = take(usage.hourCacheWriteTokens)
  const writtenForHalfADay = take(usage.halfDayCacheWriteTokens)
  return (
    left * rates.input +
    cached * rates.cachedInput +
    cachedAudio * rates.cachedAudioInput +
    cachedImage * rates.cachedImageInput +
    audio * rates.audioInput +
    image * rates.imageInput +
    written * rates.cacheWrite +
    writtenForAnHour * rates.hourCacheWrite +
    writtenForHalfADay * rates.halfDayCacheWrite
  )
}

function outputCost(rates: Rates, usage: BilledUsage): number {
  const audio = Math.min(usage.audioCompletionTokens ?? 0, usage.completionTokens)
  const image = Math.min(usage.imageCompletionTokens ?? 0, usage.completionTokens - audio)
  const text = usage.completionTokens - audio - image
  return text * rates.output + audio * rates.audioOutput + image * rates.imageOutput
}
