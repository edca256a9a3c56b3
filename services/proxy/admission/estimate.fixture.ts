import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { createPriceList } from '#schemas/model-prices.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { readMetadata } from '../request/metadata.ts'

const own = [{ pattern: 'm', input: 1, cachedInput: null, output: 10, perRequest: null }]
const account = { accountId: 'a', prices: createPriceList({ own }) } as ReceivedRequest['account']

/** A request to be estimated, with the price of the model `m`. */
export async function received(endpoint: string, json?: object | string, method = 'POST'): Promise<ReceivedRequest> {
  const request = new IncomingMessage(new Socket())
  request.method = method
  const bytes = json === undefined ? undefined : Buffer.from(typeof json === 'string' ? json : JSON.stringify(json))
  const body = bytes && { bytes, length: bytes.length }
  const target = { endpoint: endpoint.split('?')[0]!, pathAndQuery: endpoint }
  const metadata = await readMetadata(body, { 'content-type': 'application/json' }, target)
  return { account, request, target, body, metadata } as ReceivedRequest
}
