import { expect, it } from 'vitest'
import { ApiError } from '../api.ts'
import { scriptMessage } from '../failed-script.ts'
import { errorText, isUnauthorizedText } from './error-text.ts'

it.each([
  ['401: {"title":"Unauthorized"}', true],
  ['401: Invalid credentials', false],
  ['403: Unauthorized', false],
  ['Unauthorized', false],
  ['Error 401: Unauthorized', false],
])('%s: unauthorized is %s', (text, expected) => expect(isUnauthorizedText(text)).toBe(expected))

const detail = 'Another account has this username.'
const problem = JSON.stringify({
  type: 'about:blank',
  title: 'Username taken',
  status: 409,
  code: 'username-taken',
  detail,
  instance: 'r1',
})

it.each([
  ['the detail of a problem', new ApiError(409, problem), detail],
  ['status and text of a response without problem details', new ApiError(502, 'Bad Gateway'), '502: Bad Gateway'],
  [
    'no page of a server in front',
    new ApiError(502, `\n<!DOCTYPE html>${'x'.repeat(3_000)}`),
    expect.stringMatching(/^502: A server .{80,120}$/),
  ],
  [
    'what helps against a page of another server',
    new ApiError(200, '<!doctype html>'),
    '200: A server in front of the gateway responded with a page of its own. Reload this page.',
  ],
  [
    'what helps where a server in front accepts less than was sent',
    new ApiError(413, '<html><head><title>413 Request Entity Too Large</title></head></html>'),
    '413: A server in front of the gateway responded with a page of its own. Send less at once.',
  ],
  ['that a script is gone', new TypeError(scriptMessage), scriptMessage],
  ['that it redirects', new ApiError(0, ''), expect.stringMatching(/^A server in front .* Reload this page\.$/)],
  ['what helps where there is no text', new ApiError(503, ''), '503: The response has no text. Try again in a moment.'],
  ['that its sign-in has ended', new ApiError(403, '<!doctype html>'), expect.stringMatching(/Reload this page\.$/)],
  [
    'that a response is no JSON',
    new SyntaxError('Unexpected end of JSON input'),
    expect.stringContaining('Reload the'),
  ],
  ['the beginning of a long response', new ApiError(500, 'x'.repeat(3_000)), `500: ${'x'.repeat(195)}…`],
  ['that the gateway is away', new TypeError('Failed to fetch'), expect.stringContaining('can’t be reached')],
  ['a text for anything but an error', undefined, 'Unknown error occurred'],
])('shows %s', (_name, error, text) => expect(errorText(error)).toEqual(text))

it('keeps the raw message of a problem', () => expect(new ApiError(409, problem).message).toBe(`409: ${problem}`))
