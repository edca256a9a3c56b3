import type { RequestEvent } from '#schemas/request-event.ts'
import type { UsageLabels } from './usage-labels.ts'

/** Counts by the value of a label. */
type Counts = Map<string, number>

interface ModelUsage {
  requestsByStatus: Counts
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  costNanoUsd: number
}

/** Usage of a batch of logs, by bounded labels. */
export class UsageTally {
  readonly models = new Map<string, ModelUsage>()
  /** Results of attempts, by key. */
  readonly keys = new Map<string, Counts>()
  readonly #labels: UsageLabels

  constructor(labels: UsageLabels) {
    this.#labels = labels
  }

  add(event: RequestEvent): void {
    const usage = this.#usageOf(this.#labels.model(event.model))
    increase(usage.requestsByStatus, this.#labels.status(event.status), event.requestCount)
    usage.inputTokens += event.promptTokens ?? 0
    usage.outputTokens += event.completionTokens ?? 0
    usage.cachedTokens += event.cachedTokens ?? 0
    usage.costNanoUsd += event.costNanoUsd ?? 0
    for (const { apiKeyId, result } of event.attemptLog)
      increase(this.#resultsOf(this.#labels.key(apiKeyId)), this.#labels.result(result), 1)
  }

  #usageOf(model: string): ModelUsage {
    let usage = this.models.get(model)
    if (!usage) {
      usage = { requestsByStatus: new Map(), inputTokens: 0, outputTokens: 0, cachedTokens: 0, costNanoUsd: 0 }
      this.models.set(model, usage)
    }
    return usage
  }

  #resultsOf(key: string): Counts {
    let results = this.keys.get(key)
    if (!results) this.keys.set(key, (results = new Map()))
    return results
  }
}

const increase = (counts: Counts, label: string, by: number) => counts.set(label, (counts.get(label) ?? 0) + by)
