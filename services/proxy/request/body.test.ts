import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { mib } from '#core/units.ts'
import { takeBody } from './body.ts'
import { RequestShare } from './request-share.ts'

const limit = () => new SharedLimit({ account: mib, process: mib })

test.each([
  ['before', true],
  ['while', false],
])('a client that disconnects %s its body is read is not waited for', async (_when, isEarly) => {
  const request = new IncomingMessage(new Socket())
  request.headers['content-length'] = '100'
  const share = RequestShare.take({ requests: limit(), bodyBytes: limit() }, 'a')
  if (typeof share === 'string') throw new Error(share)
  if (isEarly) request.destroy()
  const taken = async () => takeBody(request, new ServerResponse(request), { maxBytes: mib, share })
  const rejected = expect(taken()).rejects.toThrow('aborted')
  if (!isEarly) request.destroy(new Error('aborted'))
  await rejected
})
