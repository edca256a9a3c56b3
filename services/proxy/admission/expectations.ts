import { LRUCache } from 'lru-cache'
import type { RequestEvent } from '#schemas/request-event.ts'

/** Factor by which each smaller request lowers the remembered maximum. */
const decay = 0.9

interface Learned {
  tokensPerByte: number
  completionTokens: number
  tokensPerPiece: number
}

/** Remembers the highest usage of an account's recent requests, by model. */
export class Expectations {
  readonly #models = new LRUCache<string, Learned>({ max: 20_000 })

  of(accountId: string, model: string): Readonly<Learned> | undefined {
    return this.#models.get(`${accountId} ${model}`)
  }

  /** @param pieces number of stream pieces; 0 for other responses */
  learn({ accountId, model, promptTokens, completionTokens, requestBytes, costSource }: RequestEvent, pieces: number) {
    if (model === null || costSource !== 'exact' || promptTokens === null || completionTokens === null) return
    const key = `${accountId} ${model}`
    let learned = this.#models.get(key)
    if (!learned) this.#models.set(key, (learned = { tokensPerByte: 0, completionTokens: 0, tokensPerPiece: 1 }))
    const perPiece = pieces === 0 ? learned.tokensPerPiece : completionTokens / pieces
    learned.tokensPerByte = Math.max(promptTokens / Math.max(1, requestBytes), learned.tokensPerByte * decay)
    learned.completionTokens = Math.max(completionTokens, learned.completionTokens * decay)
    learned.tokensPerPiece = Math.max(1, perPiece, learned.tokensPerPiece * decay)
  }
}
