import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib, mib, second } from '#core/units.ts'
import type { RequestOutcome } from '#schemas/request-outcome.ts'
import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'
import type { RequestLogBuilder } from '../log/request-log-builder.ts'
import type { RequestShare } from '../request/request-share.ts'
import { errorBody } from '../response/error-responses.ts'
import { encodeFrame } from './frame-header.ts'
import { FrameMask } from './frames.ts'
import type { CheckMessage } from './message-models.ts'
import { MessageReader } from './message-reader.ts'
import { SessionReader } from '../usage/session-reader.ts'

/** Longest provider message that is read whole. */
const longestRead = mib
/** Longest client message, if messages are checked. */
const longestChecked = 4 * mib
/** Limit for headers and control frames within a message. */
const longestBetween = 64 * kib

const [textOpcode, closeOpcode] = [0x1, 0x8]
const policyViolation = 1_008
/** How long a client may take to close its side. */
const closeMs = 5 * second

interface Sockets {
  client: Duplex
  /** Bytes that the client sent after its handshake. */
  head: Buffer
  upstream: Duplex
  /** The provider's key, which the client must not see. */
  secret: string
  share: Pick<RequestShare, 'takeBytes'>
  /** Undefined if every message is allowed. */
  checkMessage: CheckMessage | undefined
  /** Called once the provider has named the session's model. @returns why the session must end */
  checkModel: (model: string) => ProxyErrorCode | undefined
  /** Likely minimum number of tokens in a prompt. */
  likelyPromptTokens: () => number
  /** Whether the client's messages are read for the responses that they request. */
  countsRequests: boolean
  /** Called after each response with usage. @returns why the session must end; undefined if it may continue */
  checkSpending: (() => Promise<ProxyErrorCode | undefined>) | undefined
}

/**
 * Relays bytes both ways until one side closes.
 * @param log updated continuously, because a session may last for hours
 */
export function joinSockets(sockets: Sockets, log: RequestLogBuilder): Promise<RequestOutcome> {
  const { client, head, upstream, secret, share, checkMessage, countsRequests } = sockets
  const mask = FrameMask.of(secret)
  const session = new SessionReader()
  const reader = new MessageReader({ isMasked: false, maxBytes: longestRead, share })
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>()
  const end = (outcome: RequestOutcome) => {
    const unfinished = session.open.takeUnfinished(sockets.likelyPromptTokens())
    if (unfinished) log.responseEnded(unfinished)
    resolve(outcome)
    upstream.destroy()
  }
  const endClient = () => client.destroy()
  client.once('error', () => end('client_aborted')).once('close', () => end('completed'))
  // Nothing moved for the server's `unreadTimeoutMs`. An idle session stays open.
  client.on('timeout', () => client.writableLength > 0 && client.destroy())
  // Either socket may have closed already, without further events.
  if (client.destroyed) end('completed')
  if (upstream.destroyed) client.destroy()
  upstream
    .once('error', () => end('upstream_failed'))
    .once('close', endClient)
    .once('end', () => client.end())
    .on('data', (chunk: Buffer) => {
      log.countResponseBytes(chunk.length)
      try {
        const bytes = mask?.push(chunk) ?? chunk
        let rejection: ProxyErrorCode | undefined
        for (const message of reader.push(bytes)) {
          const response = message && session.read(message)
          if (session.model !== null && log.event.model === null) {
            log.sessionModel(session.model)
            rejection = sockets.checkModel(session.model)
          }
          if (!response) continue
          log.responseEnded(response)
          if (response.usage) void sockets.checkSpending?.().then((code) => code && reject(code))
        }
        const mayGoOn = client.write(bytes)
        // Only now, because the client may already have the beginning of this message.
        if (rejection) return reject(rejection)
        if (mayGoOn) return
        upstream.pause()
        client.once('drain', () => upstream.resume())
      } catch (error) {
        upstream.destroy(error instanceof Error ? error : undefined)
      }
    })

  /** Ends the session because of a disallowed message. */
  function reject(code: ProxyErrorCode): void {
    if (client.destroyed || client.writableEnded) return
    log.failed(code, true)
    // A pipe that loses its target would pause the client, and its end would never be seen.
    client.unpipe(upstream)
    upstream.off('close', endClient).destroy()
    // An error can't be sent in the middle of a provider message.
    if (!reader.isBetweenMessages) return void client.destroy()
    client.end(Buffer.concat([encodeFrame(textOpcode, errorEvent(code)), encodeFrame(closeOpcode, closeReason(code))]))
    client.resume()
    const timer = setTimeout(() => client.destroy(), closeMs)
    client.once('close', () => clearTimeout(timer))
  }

  if (head.length > 0) client.unshift(head)
  if (checkMessage) {
    const counted = countsRequests ? (message: Buffer) => session.open.request(message) : undefined
    relayChecked(sockets, checkMessage, counted, log).then(
      (code) => (code ? reject(code) : client.resume()),
      () => client.destroy(),
    )
  } else {
    const requests = countsRequests ? new MessageReader({ isMasked: true, maxBytes: longestRead, share }) : undefined
    client.on('data', (chunk: Buffer) => {
      log.countRequestBytes(chunk.length)
      try {
        for (const message of requests?.push(chunk) ?? []) session.open.request(message)
      } catch (error) {
        client.destroy(error instanceof Error ? error : undefined)
      }
    })
    client.pipe(upstream)
  }
  return promise
}

/**
 * Relays a client's messages once they are complete and allowed.
 * @param allowed receives them
 * @returns why the session must end; undefined once the client has ended it
 */
async function relayChecked(
  { client, upstream, share }: Pick<Sockets, 'client' | 'upstream' | 'share'>,
  checkMessage: CheckMessage,
  allowed: ((message: Buffer) => void) | undefined,
  log: RequestLogBuilder,
): Promise<ProxyErrorCode | undefined> {
  const reader = new MessageReader({ isMasked: true, maxBytes: longestChecked, share })
  const buffer = new GrowingBuffer()
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    log.countRequestBytes(chunk.length)
    const bufferedBefore = buffer.length
    buffer.append(chunk)
    for (const message of reader.push(chunk)) {
      if (!message) return 'body_too_large'
      const code = await checkMessage(message)
      if (code) return code
      allowed?.(message)
    }
    if (reader.wholeUntil > 0) {
      const complete = bufferedBefore + reader.wholeUntil
      const bytes = Buffer.from(buffer.bytes().subarray(0, complete))
      buffer.keepLast(buffer.length - complete)
      if (upstream.destroyed) return undefined
      if (!upstream.write(bytes)) await once(upstream, 'drain')
    } else if (buffer.length > longestChecked + longestBetween) return 'body_too_large'
  }
  upstream.end()
  return undefined
}

/** In the shape of the Responses API; the Realtime API has no `status`. */
const errorEvent = (code: ProxyErrorCode): Buffer =>
  Buffer.from(JSON.stringify({ type: 'error', status: proxyErrors[code].status, ...JSON.parse(errorBody(code)) }))

function closeReason(code: ProxyErrorCode): Buffer {
  const status = Buffer.alloc(2)
  status.writeUInt16BE(policyViolation)
  return Buffer.concat([status, Buffer.from(code)])
}
