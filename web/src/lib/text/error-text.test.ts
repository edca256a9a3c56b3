import { describe, expect, it } from 'vitest'
import { ApiError } from '../api.ts'
import { errorText, isUnauthorizedText } from './error-text.ts'

describe('isUnauthorizedText', () => {
  it('recognises a 401 that says Unauthorized', () => {
    expect(isUnauthorizedText('401: {"title":"Unauthorized"}')).toBe(true)
  })
  it.each(['401: Invalid credentials', '403: Unauthorized', 'Unauthorized', 'Error 401: Unauthorized'])(
    'leaves %j alone',
    (text) => expect(isUnauthorizedText(text)).toBe(false),
  )
})

describe('errorText', () => {
  const problem = {
    type: 'about:blank',
    title: 'Username taken',
    status: 409,
    code: 'username-taken',
    detail: 'Another account has this username.',
    instance: 'r1',
  }

  it('shows the detail of a problem and keeps the raw message', () => {
    const error = new ApiError(409, JSON.stringify(problem))
    expect(errorText(error)).toBe('Another account has this username.')
    expect(error.message).toBe(`409: ${JSON.stringify(problem)}`)
  })
  it('shows status and text of a response without problem details', () => {
    expect(errorText(new ApiError(502, 'Bad Gateway'))).toBe('502: Bad Gateway')
  })
  it('says that the gateway is away when fetch itself fails', () => {
    expect(errorText(new TypeError('Failed to fetch'))).toContain('can’t be reached')
  })
  it('has a text for what is no error', () => expect(errorText(undefined)).toBe('Unknown error occurred'))
})
