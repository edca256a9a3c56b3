import { fetchFromGateway } from '#web/lib/reachability.ts'
import { asUtf8, fromUtf8 } from '#web/lib/text/utf8-headers.ts'
import { product } from '#schemas/product.ts'
import { createStreamText } from './stream-text.ts'
import { requestPath, sentBody, sentHeaders, type TesterRequest } from './tester-request.ts'

/** The response as received so far. Durations ms, sizes bytes. */
export type TesterResponse = {
  status: number
  headers: Record<string, string>
  /** `null`: not text. */
  body: string | null
  /** Whether the text ends before the body does. */
  isCut: boolean
  /** The assembled text of a streamed response. */
  streamText: string
  size: number
  firstByteMs: number
  durationMs: number
  state: 'receiving' | 'complete' | 'stopped' | 'broken'
}

/** Minimum interval between progress reports, ms. */
const progressIntervalMs = 60
/** Longest text that is kept, in characters: that of a large image. */
const maxBodyLength = 5_000_000

const textTypes = /^$|^text\/|json|xml|javascript|event-stream/

/**
 * Sends as the signed-in user, reports the response as it arrives and resolves to the complete response.
 * @throws as `sentHeaders` and `requestPath` do, or TypeError when the gateway can't be reached
 */
export async function sendRequest(
  request: TesterRequest,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (received: TesterResponse) => void },
): Promise<TesterResponse> {
  const headers = sentHeaders(request)
  const body = sentBody(request)
  const started = performance.now()
  const response = await fetchFromGateway(requestPath(request.endpoint), {
    method: request.method,
    credentials: 'include',
    headers: { ...asUtf8(headers), [product.testerHeader]: '1' },
    signal,
    ...(body !== undefined && { body }),
  })
  const elapsed = () => Math.round(performance.now() - started)
  const type = response.headers.get('content-type') ?? ''
  const received: TesterResponse = {
    status: response.status,
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [name, fromUtf8(value)])),
    body: textTypes.test(type) ? '' : null,
    isCut: false,
    streamText: '',
    size: 0,
    firstByteMs: elapsed(),
    durationMs: elapsed(),
    state: 'receiving',
  }
  onProgress({ ...received })
  const state = await readBody(response, received, type.includes('event-stream'), () => {
    received.durationMs = elapsed()
    onProgress({ ...received })
  })
  return { ...received, durationMs: elapsed(), state: signal.aborted ? 'stopped' : state }
}

async function readBody(response: Response, received: TesterResponse, isStream: boolean, report: () => void) {
  const decoder = new TextDecoder()
  const stream = createStreamText()
  let reportedAt = 0
  try {
    for await (const chunk of chunks(response)) {
      received.size += chunk.length
      if (received.body !== null && !received.isCut) {
        const text = decoder.decode(chunk, { stream: true })
        received.isCut = received.body.length + text.length > maxBodyLength
        received.body = (received.body + text).slice(0, maxBodyLength)
        if (isStream) stream.add(text)
        received.streamText = stream.read()
      }
      if (performance.now() - reportedAt < progressIntervalMs) continue
      reportedAt = performance.now()
      report()
    }
    return 'complete'
  } catch {
    // The part received so far stays on the screen.
    return 'broken'
  }
}

// Safari can't iterate over a body.
async function* chunks({ body }: Response) {
  if (!body) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
