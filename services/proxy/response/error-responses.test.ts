import { expect, test } from 'vitest'
import { errorBody, type ErrorCode, errorResponses } from './error-responses.ts'

test.each(Object.keys(errorResponses) as ErrorCode[])(
  '%s has the shape of the provider, and says what is wrong',
  (code) => {
    const { error } = JSON.parse(errorBody(code))
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
    expect(error).toMatchObject({ type: errorResponses[code].type, param: null, code })
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    // One sentence describes the problem, another one the remedy.
    expect(error.message).toMatch(/^[^\n]{10,}\.$/)
    expect(error.message.match(/\.(?: |$)/g).length).toBeGreaterThanOrEqual(2)
    expect(errorResponses[code].status).toBeGreaterThanOrEqual(400)
  },
)
