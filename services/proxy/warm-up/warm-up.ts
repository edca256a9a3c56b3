import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { Pool } from 'undici'
import { createHttpServer } from '#core/http-server.ts'
import type { Logger } from '#core/logger.ts'
import { second } from '#core/units.ts'
import { product } from '#schemas/product.ts'
import { createStandInProvider } from './stand-in-provider.ts'
import { createStandInRedis } from './stand-in-redis.ts'
import { openThrowAwayGateway } from './throw-away-gateway.ts'

const connections = 8

/** One answer of so many is streamed. */
const streamedEvery = 4

interface WarmUpLimits {
  requests?: number
  /** Then it is left at that. */
  longestMs?: number
}

/**
 * Sends requests through a throw-away gateway, so that code which is compiled with its first uses is compiled when
 * clients come. All of it stays within this process and is gone afterwards; a failure costs nothing but the warmth.
 * @returns how many requests were answered
 */
export async function warmUp(
  logger: Logger,
  { requests = 500, longestMs = 2 * second }: WarmUpLimits = {},
): Promise<number> {
  const parts = new AsyncDisposableStack()
  const signal = AbortSignal.timeout(longestMs)
  try {
    const send = await openWay(parts, logger.child({}, { level: 'silent' }), signal)
    return await sendAll(send, requests, signal)
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'the first requests will be slow: the warm-up failed')
    return 0
  } finally {
    await parts.disposeAsync()
  }
}

/** Sends the nth request. @returns whether it was answered */
type Send = (nth: number) => Promise<boolean>

async function openWay(parts: AsyncDisposableStack, logger: Logger, signal: AbortSignal): Promise<Send> {
  const providerOrigin = `http://${await listen(createStandInProvider(), parts)}`
  const redisUrl = `redis://${await listen(createStandInRedis(), parts)}`
  const app = createHttpServer({ trustedProxies: [] }, logger)
  // It waits for stragglers, and nobody waits for it.
  parts.defer(() => void app.close())
  const token = await openThrowAwayGateway(app, { providerOrigin, redisUrl, logger, parts })
  const client = new Pool(await app.listen({ host: '127.0.0.1', port: 0 }), { connections })
  parts.defer(() => client.destroy())
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (nth) => {
    const body = chatRequest(nth % streamedEvery === 0)
    const answer = await client.request({ method: 'POST', path, headers, body, signal })
    await answer.body.dump()
    return answer.statusCode === 200
  }
}

async function sendAll(send: Send, requests: number, signal: AbortSignal): Promise<number> {
  let sent = 0
  let answered = 0
  async function sendOnOneConnection(): Promise<void> {
    while (sent < requests && !signal.aborted) {
      sent += 1
      if (await send(sent)) answered += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, () => sendOnOneConnection()))
  return answered
}

const path = `${product.proxyPath}/v1/chat/completions`
const messages = [{ role: 'user', content: 'Words of a question. '.repeat(20) }]
const chatRequest = (stream: boolean) => JSON.stringify({ model: 'gpt-4o-mini', stream, messages })

/** On this machine only, for as long as the warm-up lasts. @returns host and port */
async function listen(server: Server, parts: AsyncDisposableStack): Promise<string> {
  parts.defer(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { address, port } = server.address() as AddressInfo
  return `${address}:${port}`
}
