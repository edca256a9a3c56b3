import { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import { expect, test, vi } from 'vitest'
import type { ProxiedRequest } from './proxied-request.ts'
import { UpstreamAttempt } from './upstream-attempt.ts'

test('a client that leaves before there is a connection to the provider costs nothing', async () => {
  const response = new EventEmitter()
  const [dispatch, confirm, abort] = [vi.fn(), vi.fn(), vi.fn()]
  const proxied = {
    received: {
      request: { method: 'POST', headers: {} },
      account: { timeout: 1_000, credentialHeader: 'authorization', basePath: '/v1' },
      target: { endpoint: '/v1/files', pathAndQuery: '/v1/files' },
      metadata: {},
    },
    response,
    recorder: { confirm },
    dispatcher: { dispatch },
  } as unknown as ProxiedRequest
  const outcome = new UpstreamAttempt(proxied, { id: 'primary', secret: 'sk-primary' }).run()
  response.emit('close')
  expect(await outcome).toMatchObject({ kind: 'client_aborted', delivery: { wasSent: false } })
  const handler: Dispatcher.DispatchHandler = dispatch.mock.calls[0]![1]
  handler.onRequestStart?.({ abort } as unknown as Dispatcher.DispatchController, {})
  expect([abort.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 0])
})
