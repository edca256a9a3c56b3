import { GrowingBuffer } from '#core/growing-buffer.ts'
import { mib } from '#core/units.ts'
import type { ProviderResponse, ResponseHead, ResponseSink } from './response.ts'
import { withoutHeader } from './headers.ts'

/** Some providers list hundreds of models with long descriptions. Parsing a list blocks the event loop. */
const maxListBytes = 2 * mib
const emptyList = { object: 'list', data: [] }

interface Model {
  id?: unknown
}

/** A provider's list of models without those that a token may not use. A list that can't be parsed becomes empty. */
export class ModelListResponse implements ProviderResponse {
  readonly #sink: ResponseSink
  readonly #head: ResponseHead
  readonly #models: readonly string[]
  readonly #buffer = new GrowingBuffer()
  #isTooLong = false

  constructor(sink: ResponseSink, { status, headers }: ResponseHead, models: readonly string[]) {
    this.#sink = sink
    this.#head = { status, headers: withoutHeader(headers, 'content-length') }
    this.#models = models
  }

  push(chunk: Buffer): boolean {
    this.#isTooLong ||= this.#buffer.length + chunk.length > maxListBytes || !this.#sink.reserve(chunk.length)
    if (!this.#isTooLong) this.#buffer.append(chunk)
    return true
  }

  end(): void {
    const list = this.#isTooLong ? emptyList : filterModels(this.#buffer.bytes(), this.#models)
    const body = Buffer.from(JSON.stringify(list))
    this.#head.headers.push('content-length', String(body.length))
    this.#sink.writeHead(this.#head)
    this.#sink.end(body)
  }
}

function filterModels(json: Buffer, models: readonly string[]): unknown {
  try {
    const list: unknown = JSON.parse(json.toString())
    if (typeof list !== 'object' || list === null) return emptyList
    if (!('data' in list)) return filterGoogleModels(list, models)
    if (!Array.isArray(list.data)) return emptyList
    const isListed = (model: Model | null) => typeof model?.id === 'string' && models.includes(model.id)
    const data: Model[] = list.data.filter(isListed)
    return { object: 'list', ...pagingOf(list, data), data }
  } catch {
    return emptyList
  }
}

/** As in Anthropic's lists, whose next page is asked for by the id of the last model. */
const pagingOf = (list: object, data: readonly Model[]) => ({
  ...('has_more' in list && { has_more: list.has_more === true && data.length > 0 }),
  ...('last_id' in list && { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }),
})

/** Google's list names models as `models/gemini-2.5-pro`. */
function filterGoogleModels(list: { models?: unknown; nextPageToken?: unknown }, models: readonly string[]): unknown {
  if (!Array.isArray(list.models)) return emptyList
  const isListed = (model: { name?: unknown } | null) =>
    typeof model?.name === 'string' && models.includes(model.name.replace(/^models\//, ''))
  return { models: list.models.filter(isListed), nextPageToken: list.nextPageToken }
}
