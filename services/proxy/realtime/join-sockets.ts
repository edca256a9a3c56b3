import { type EventEmitter, once } from 'node:events'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib, mib, minute, second } from '#core/units.ts'
import type { RequestOutcome } from '#schemas/request-outcome.ts'
import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'
import type { RequestLogBuilder } from '../log/request-log-builder.ts'
import type { RequestShare } from '../request/request-share.ts'
import { errorBody } from '../response/error-responses.ts'
import { closeFrame, encodeFrame } from './frame-header.ts'
import { FrameMask } from './frames.ts'
import { type CheckMessage, requestedModelOf } from './message-models.ts'
import { MessageReader } from './message-reader.ts'
import type { SessionReader } from '../usage/session-reader.ts'

/** Longest provider message that is read whole. */
const longestRead = mib
/** Longest client message, if messages are checked. */
const longestChecked = 4 * mib
/** Limit for headers and control frames within a message. */
const longestBetween = 64 * kib

const textOpcode = 0x1
export const policyViolation = 1_008
/** A flood of messages is read in turns with everything else. */
const messagesInTurn = 64

/** How often the cost of a duration is counted. */
const countMs = second
/** At how many counts in a row a client with a budget may have yet to take what it was sent. */
const mostDelays = 10

/** How long a client may take for what it was sent, even if it goes on sending. */
const lastMs = 5 * minute
/** How long it may then take to close its side. */
const closeMs = 5 * second

/** `end`: the gateway ends the session at once. */
export type SessionEnd = EventEmitter<{ end: [closeFrame: Buffer] }>

export interface Sockets {
  client: Duplex
  /** Bytes that the client sent after its handshake. */
  head: Buffer
  upstream: Duplex
  /** The provider's key, which the client must not see. */
  secret: string
  share: Pick<RequestShare, 'takeBytes'>
  sessionEnd: SessionEnd
  /** Undefined if every message is allowed. */
  checkMessage: CheckMessage | undefined
  /** Reads the provider's messages. */
  session: SessionReader
  /** Called when the provider names other models of the session. @returns why the session must end */
  checkModel: () => ProxyErrorCode | undefined
  /**
   * Called before a message that requests a response is sent. If undefined, messages are not read for that.
   * @returns why the session must end
   */
  checkRequest: (() => Promise<ProxyErrorCode | undefined>) | undefined
  /** Whether the model that a request names is the one that responds. */
  requestsNameModels: boolean
  /**
   * Called after each response with usage, and as time passes that costs.
   * @returns why the session must end; undefined if it may continue
   */
  checkSpending: (() => Promise<ProxyErrorCode | undefined>) | undefined
}

/**
 * Relays bytes both ways until one side closes.
 * @param log updated continuously, because a session may last for hours
 */
export function joinSockets(sockets: Sockets, log: RequestLogBuilder): Promise<RequestOutcome> {
  const { client, head, upstream, secret, share, session, checkMessage, checkRequest } = sockets
  const mask = FrameMask.of(secret)
  const unwraps = session.isBilledByTime
  const reader = new MessageReader({ isMasked: false, maxBytes: longestRead, share, unwraps })
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>()
  const counting = session.isBilledByTime ? setInterval(() => void countDuration(), countMs) : undefined
  let isCounting = false
  let delays = 0
  /** The provider works no longer, though the client may have yet to take what it was sent. */
  const endSession = () => {
    clearInterval(counting)
    for (const unfinished of session.takeUnfinished()) log.responseEnded(unfinished, true)
  }
  const end = (outcome: RequestOutcome) => {
    endSession()
    resolve(outcome)
    upstream.destroy()
  }
  const onUpstreamClosed = () => {
    endSession()
    endClient()
  }
  client.once('error', () => end('client_aborted')).once('close', () => end('completed'))
  // Nothing moved for the server's `unreadTimeoutMs`. An idle session stays open.
  client.on('timeout', () => client.writableLength > 0 && client.destroy())
  // Either socket may have closed already, without further events.
  if (client.destroyed) end('completed')
  if (upstream.destroyed) client.destroy()
  sockets.sessionEnd.once('end', (frame) => {
    // The system takes it at once, unless it still has what the client has yet to take.
    if (reader.isBetweenMessages && client.writable) client.write(frame)
    client.destroy()
  })
  upstream
    .once('error', () => end('upstream_failed'))
    .once('close', onUpstreamClosed)
    .once('end', () => {
      const isBroken = session.open.count > 0 && !reader.hasClosed && !client.readableEnded
      endSession()
      if (isBroken) end('upstream_failed')
      else client.end()
    })
    .on('data', (chunk: Buffer) => {
      log.event.responseBytes += chunk.length
      try {
        const bytes = mask?.push(chunk) ?? chunk
        let rejection: ProxyErrorCode | undefined
        const messages = reader.push(bytes)
        for (const message of messages) {
          const { model, backendModel } = session
          const response = message && session.read(message)
          if (session.model !== model || session.backendModel !== backendModel) {
            log.event.model ??= session.model
            rejection ??= sockets.checkModel()
          }
          if (!response) continue
          log.responseEnded(response)
          if (session.duration) log.sessionLasts(session.duration)
          if (response.usage) void sockets.checkSpending?.().then((code) => code && reject(code))
        }
        const mayGoOn = client.write(bytes)
        // Only now, because the client may already have the beginning of this message.
        if (rejection) return reject(rejection)
        if (mayGoOn && messages.length <= messagesInTurn) return
        upstream.pause()
        const resume = () => setImmediate(() => upstream.resume())
        if (mayGoOn) resume()
        else client.once('drain', resume)
      } catch (error) {
        upstream.destroy(error instanceof Error ? error : undefined)
      }
    })

  async function countDuration(): Promise<void> {
    delays = checkRequest && client.writableNeedDrain ? delays + 1 : 0
    if (delays > mostDelays) {
      end('client_aborted')
      client.destroy()
      return
    }
    if (!session.duration || isCounting) return
    log.sessionLasts(session.duration)
    isCounting = true
    const code = await sockets.checkSpending?.()
    isCounting = false
    if (code) reject(code)
  }

  /** Ends the session because of a disallowed message, or because it may spend no more. */
  function reject(code: ProxyErrorCode): void {
    if (client.destroyed || client.writableEnded) return
    log.failed(code, true)
    endSession()
    upstream.off('close', onUpstreamClosed).destroy()
    // An error can't be sent in the middle of a provider message.
    if (!reader.isBetweenMessages) return void client.destroy()
    endClient(Buffer.concat([encodeFrame(textOpcode, errorEvent(code)), closeFrame(policyViolation, code)]))
  }

  /** The client may have yet to take what it was sent, and lose it if the connection closes while it sends. */
  function endClient(last?: Buffer): void {
    if (client.destroyed) return
    const giveUpIn = (ms: number) => setTimeout(() => client.destroy(), ms)
    let timer = giveUpIn(lastMs)
    client.once('close', () => clearTimeout(timer))
    // A pipe that loses its target would pause the client, and its end would never be seen.
    client.unpipe(upstream)
    client.end(last, () => {
      clearTimeout(timer)
      if (!client.destroyed) timer = giveUpIn(closeMs)
    })
    client.resume()
  }

  if (head.length > 0) client.unshift(head)
  if (checkMessage || checkRequest) {
    relayChecked(sockets, log)
      .then((code) => code && reject(code))
      .then(
        // The session may have been rejected before, while the client was not read.
        () => client.resume(),
        () => client.destroy(),
      )
  } else {
    client.on('data', (chunk: Buffer) => (log.event.requestBytes += chunk.length))
    client.pipe(upstream)
  }
  return promise
}

/**
 * Relays a client's messages once they are complete and allowed; without a check of their contents, they may be longer
 * than what is read of them, and only their ends wait.
 * @returns why the session must end; undefined once the client has ended it
 */
async function relayChecked(
  { client, upstream, share, session, checkMessage, checkRequest, requestsNameModels }: Sockets,
  log: RequestLogBuilder,
): Promise<ProxyErrorCode | undefined> {
  const skipsLonger = checkMessage !== undefined
  const reader = new MessageReader({ isMasked: true, maxBytes: longestChecked, skipsLonger, share })
  const buffer = new GrowingBuffer()
  /** Where the last chunk begins in the buffer. */
  let chunkAt = 0
  /** Models of the responses that the buffered messages request. */
  let unsent: (string | null)[] = []
  async function relayUntil(end: number): Promise<void> {
    const bytes = Buffer.from(buffer.bytes().subarray(0, chunkAt + end))
    buffer.keepLast(buffer.length - bytes.length)
    chunkAt = -end
    if (upstream.destroyed) return
    session.open.request(unsent)
    unsent = []
    if (!upstream.write(bytes)) await once(upstream, 'drain')
  }
  let checked = 0
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    log.event.requestBytes += chunk.length
    chunkAt = buffer.length
    buffer.append(chunk)
    for (const [nth, message] of reader.push(chunk).entries()) {
      if (!message) return 'body_too_large'
      let code = await checkMessage?.(message)
      const model = !code && checkRequest ? requestedModelOf(message) : undefined
      if (checkRequest && model !== undefined) {
        // The response that it may wait for may be requested by the same chunk.
        if (nth > 0) await relayUntil(reader.ends[nth - 1]!)
        code = await checkRequest()
        unsent.push(requestsNameModels ? model : null)
      }
      if (code) return code
      if (session.isBilledByTime) session.send(message)
      if ((checked += 1) % messagesInTurn === 0) await nextTurn()
    }
    const end = checkMessage ? reader.wholeUntil : chunk.length
    if (end > 0) await relayUntil(end)
    else if (buffer.length > longestChecked + longestBetween) return 'body_too_large'
    if (upstream.destroyed) return undefined
  }
  upstream.end()
  return undefined
}

/** In the shape of the Responses API; the Realtime API has no `status`. */
const errorEvent = (code: ProxyErrorCode): Buffer =>
  Buffer.from(JSON.stringify({ type: 'error', status: proxyErrors[code].status, ...JSON.parse(errorBody(code)) }))
