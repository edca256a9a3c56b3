import { expect, test } from 'vitest'
import { refusalBody, type RefusalCode, refusals } from './error-responses.ts'

test.each(Object.keys(refusals) as RefusalCode[])(
  '%s has the shape of the provider, and says what is wrong',
  (code) => {
    const { error } = JSON.parse(refusalBody(code)) as { error: Record<string, unknown> }
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
    expect(error).toMatchObject({ type: refusals[code].type, param: null, code })
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    // A sentence of what is wrong and one of what to do.
    expect(String(error['message'])).toMatch(/^[^\n]{10,}\.$/)
    expect(String(error['message']).match(/\.(?: |$)/g)!.length).toBeGreaterThanOrEqual(2)
    expect(refusals[code].status).toBeGreaterThanOrEqual(400)
  },
)
