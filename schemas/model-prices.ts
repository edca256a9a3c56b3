import { z } from 'zod'
import table from './model-prices.json' with { type: 'json' }
import type { SentModelPrice } from './own-model-prices.ts'
import { type BilledUsage, type CompiledPrice, compilePrice, costOf, ModelPrice } from './price-rates.ts'
import { upperCostOf } from './upper-cost.ts'

const PriceTable = z.record(z.string(), z.union([ModelPrice.transform((price) => [price]), z.array(ModelPrice)]))

/** Prices by model, newest first. */
const openaiPrices: ReadonlyMap<string, readonly CompiledPrice[]> = new Map(
  Object.entries(PriceTable.parse(table.models)).map(([model, prices]) => [
    model,
    prices.map((price) => compilePrice(price)).toSorted((a, b) => b.validFrom - a.validFrom),
  ]),
)

const vendorPrefix = 'openai/'

/** `ft:gpt-4o-2024-08-06:acme::id` is priced as `ft:gpt-4o`. */
const fineTunedBase = /^(ft:[^:]+):/

/** A model's version, such as `-2024-08-06`, `-0613` or `-preview`. */
const versionSuffix = /-(?:\d{4}-\d{2}-\d{2}|\d{4}|preview|latest)$/

/** The name of a model in OpenAI's list, with or without a version. */
function openAiNameOf(model: string): string | undefined {
  const unprefixed = model.startsWith(vendorPrefix) ? model.slice(vendorPrefix.length) : model
  const name = fineTunedBase.exec(unprefixed)?.[1] ?? unprefixed
  if (openaiPrices.has(name)) return name
  const unversioned = name.replace(versionSuffix, '')
  return openaiPrices.has(unversioned) ? unversioned : undefined
}

/**
 * Where OpenAI charges more for models since March 2026.
 * Source: https://developers.openai.com/api/docs/guides/data-residency
 */
const regionalOrigin = /^https:\/\/[a-z]{2}\.api\.openai\.com$/
const regionalModel = /^gpt-(?:5\.[4-9]|[6-9]|realtime-2|image-2)/
const regionalFactor = 1.1
export const isRegional = (origin: string): boolean => regionalOrigin.test(origin)

function findOpenAiPrice(model: string, at: number, origin: string): CompiledPrice | undefined {
  const name = openAiNameOf(model) ?? ''
  const price = openaiPrices.get(name)?.find(({ validFrom }) => validFrom <= at)
  return price && isRegional(origin) && regionalModel.test(name) ? { ...price, tokenFactor: regionalFactor } : price
}

interface OwnPrice {
  pattern: string
  price: CompiledPrice
}

interface OwnPrices {
  exact: ReadonlyMap<string, OwnPrice>
  /** The longest first. */
  patterns: readonly (OwnPrice & { parts: readonly string[] })[]
}

/** Cached audio gets the same discount as cached text, as in Google's list. */
function compileOwnPrice({ input, output, ...others }: SentModelPrice): CompiledPrice {
  const [cachedInput, audioInput] = [others.cachedInput ?? input, others.audioInput ?? undefined]
  const longContext = others.longPrompts ?? undefined
  const cachedAudioInput = audioInput === undefined || input === 0 ? audioInput : (audioInput * cachedInput) / input
  const [cacheWrite, perRequest] = [others.cacheWrite ?? undefined, others.perRequest ?? undefined]
  return compilePrice(
    { input, output, cachedInput, cacheWrite, audioInput, cachedAudioInput, perRequest, longContext },
    true,
  )
}

/** Of equal patterns, the last one applies. */
function compileOwnPrices(list: readonly SentModelPrice[]): OwnPrices {
  const prices = list.map((price) => ({ pattern: price.pattern, price: compileOwnPrice(price) }))
  const exact = prices.filter(({ pattern }) => !pattern.includes('*'))
  const patterns = prices.filter(({ pattern }) => pattern.includes('*'))
  return {
    exact: new Map(exact.map((each) => [each.pattern, each])),
    patterns: patterns
      .toReversed()
      .toSorted((a, b) => b.pattern.length - a.pattern.length)
      .map((each) => ({ ...each, parts: each.pattern.split('*') })),
  }
}

/** Not a regular expression, whose time could explode. @param parts of a pattern, split at `*` */
function isMatch(parts: readonly string[], model: string): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (!model.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = model.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return model.length - last.length >= at && model.endsWith(last)
}

const findOwnPrice = ({ exact, patterns }: OwnPrices, model: string): OwnPrice | undefined =>
  exact.get(model) ?? patterns.find(({ parts }) => isMatch(parts, model))

interface PriceLists {
  /** Set by the operator for all accounts. */
  operator?: readonly SentModelPrice[] | undefined
  /** Set by the account. */
  own?: readonly SentModelPrice[] | undefined
  /** Of the provider. */
  origin?: string | undefined
}

export type PriceList = ReturnType<typeof createPriceList>

/** An account's prices: its own, else the operator's, else OpenAI's. Exact names win, then longer patterns. */
export function createPriceList({ operator = [], own = [], origin = '' }: PriceLists = {}) {
  const lists = [own, operator].filter((prices) => prices.length > 0).map(compileOwnPrices)

  function findOwn(model: string): OwnPrice | undefined {
    for (const list of lists) {
      const price = findOwnPrice(list, model)
      if (price) return price
    }
    return undefined
  }

  const find = (model: string, at: number) => findOwn(model)?.price ?? findOpenAiPrice(model, at, origin)

  return {
    /** @returns the listed name or pattern of a model: a bounded set, whatever names clients send */
    nameOf: (model: string): string | undefined => findOwn(model)?.pattern ?? openAiNameOf(model),

    /**
     * Cost of a response in nano-USD, a whole number.
     * @param at time of the request, ms
     * @returns null without a known price: an unknown cost is never 0
     */
    costNanoUsd(model: string, usage: BilledUsage, at = Date.now()): number | null {
      const price = find(model, at)
      return price ? costOf(price, usage) : null
    },

    /** @returns the most tokens that a file can be for a model */
    maxInput: (model: string, at = Date.now()): number => find(model, at)?.maxInput ?? Number.POSITIVE_INFINITY,

    /** @returns a request's maximum cost, nano-USD; null if that does not depend on tokens alone */
    upperCostNanoUsd(model: string, expected: Parameters<typeof upperCostOf>[1], at = Date.now()): number | null {
      const price = find(model, at)
      return price ? upperCostOf(price, expected) : null
    },

    /** @returns the cost of a response without usage, which is known only if the price is per request */
    requestCostNanoUsd(model: string, at = Date.now()): number | null {
      const price = find(model, at)
      return price?.isPerRequest ? costOf(price, { promptTokens: 0, completionTokens: 0, cachedTokens: 0 }) : null
    },
  }
}
