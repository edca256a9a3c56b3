import type { RequestEvent } from '#schemas/request-event.ts'
import { PerAccount } from './per-account.ts'

/** Factor by which each smaller request lowers the remembered maximum. */
const decay = 0.9

interface Learned {
  tokensPerByte: number
  completionTokens: number
  tokensPerPiece: number
}

/** An account may use any number of models, and its provider may invent them. */
const maxModels = 200

/** Remembers the highest usage of an account's recent requests, by model. */
export class Expectations {
  readonly #models = new PerAccount<Learned>(maxModels)

  of(accountId: string, model: string): Readonly<Learned> | undefined {
    return this.#models.get(accountId, model)
  }

  /** @param pieces number of stream pieces; 0 for other responses */
  learn({ accountId, model, promptTokens, completionTokens, requestBytes, costSource }: RequestEvent, pieces: number) {
    if (model === null || costSource !== 'exact' || promptTokens === null || completionTokens === null) return
    let learned = this.#models.get(accountId, model)
    if (!learned) {
      learned = { tokensPerByte: 0, completionTokens: 0, tokensPerPiece: 1 }
      this.#models.set(accountId, model, learned)
    }
    const perPiece = pieces === 0 ? learned.tokensPerPiece : completionTokens / pieces
    learned.tokensPerByte = Math.max(promptTokens / Math.max(1, requestBytes), learned.tokensPerByte * decay)
    learned.completionTokens = Math.max(completionTokens, learned.completionTokens * decay)
    learned.tokensPerPiece = Math.max(1, perPiece, learned.tokensPerPiece * decay)
  }
}
