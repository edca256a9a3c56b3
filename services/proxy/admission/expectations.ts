import type { RequestEvent } from '#schemas/request-event.ts'
import { bytesPerToken, costsNothing, type LearnedUsage } from '../usage/metering.ts'
import { PerAccount } from './per-account.ts'

/** Factor by which each smaller request lowers the remembered maximum. */
const decay = 0.9

/** Range of actual tokens per estimated token. A higher ratio is due to hidden tokens. */
const [leastPerEstimate, mostPerEstimate] = [0.5, 1.5]

/** What the log of a request does not say. */
export interface SentRequest {
  /** Whether the provider may have worked on it. */
  mayHaveCost: boolean
  /** Of a streamed completion, from its pieces; 0 for other responses. */
  estimatedTokens: number
  /** Whether a part of its prompt was not in the request. */
  hasTextElsewhere: boolean
}

interface Learned extends LearnedUsage {
  completionTokens: number
}

/** Text never has more tokens than bytes. */
export const mostTokensPerByte = 1

/** An account may use any number of models, and its provider may invent them. */
const maxModels = 200

/** Remembers the highest usage of an account's recent requests and sessions, by model. */
export class Expectations {
  readonly #models = new PerAccount<Learned>(maxModels)
  /** Completion tokens of a session's largest response. */
  readonly #sessions = new PerAccount<number>(maxModels)

  of(accountId: string, model: string | null): Readonly<Learned> | undefined {
    return model === null ? undefined : this.#models.get(accountId, model)
  }

  /** @returns completion tokens that a response of a session takes at most; undefined if unknown */
  ofSession(accountId: string, model: string | null): number | undefined {
    return model === null ? undefined : this.#sessions.get(accountId, model)
  }

  learn(event: RequestEvent, sent: Omit<SentRequest, 'mayHaveCost'>): void {
    const { accountId, model, promptTokens, completionTokens, requestBytes, costSource, method, endpoint } = event
    if (model === null || costSource !== 'exact' || promptTokens === null || completionTokens === null) return
    if (event.responses) return this.#learnSession(accountId, model, event.responses)
    // The usage of a job that is read is that of another request, or of a whole batch of them.
    if (requestBytes === 0 || costsNothing(method, endpoint)) return
    let learned = this.#models.get(accountId, model)
    if (!learned) {
      learned = { completionTokens: 0, hiddenTokens: 0 }
      this.#models.set(accountId, model, learned)
    }
    const perByte = promptTokens / Math.max(1, requestBytes)
    const kept = perByte > mostTokensPerByte ? promptTokens - requestBytes / bytesPerToken : 0
    const { keptPromptTokens } = learned
    if (kept > 0 || keptPromptTokens !== undefined || sent.hasTextElsewhere) {
      learned.keptPromptTokens = Math.max(kept, (keptPromptTokens ?? 0) * decay)
    }
    if (kept === 0) learned.tokensPerByte = Math.max(perByte, (learned.tokensPerByte ?? 0) * decay)
    learned.completionTokens = Math.max(completionTokens, learned.completionTokens * decay)
    const { estimatedTokens } = sent
    if (estimatedTokens === 0) return
    const ratio = completionTokens / estimatedTokens
    const perEstimate = Math.max(leastPerEstimate, Math.min(mostPerEstimate, ratio))
    learned.tokensPerEstimate = Math.max(perEstimate, (learned.tokensPerEstimate ?? 0) * decay)
    learned.hiddenTokens = Math.max(completionTokens - perEstimate * estimatedTokens, learned.hiddenTokens * decay)
  }

  /** Learns only the largest response: a session's sums cover all responses, and its bytes do not hold the prompts. */
  #learnSession(accountId: string, model: string, responses: NonNullable<RequestEvent['responses']>): void {
    const largest = Math.max(...responses.map(({ completionTokens }) => completionTokens ?? 0))
    this.#sessions.set(accountId, model, Math.max(largest, (this.#sessions.get(accountId, model) ?? 0) * decay))
  }
}
