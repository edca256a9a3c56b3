import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { newRequestId } from './request-id.ts'

test('ids are unique UUIDv7, and sort by time', async () => {
  const ids = Array.from({ length: 2_000 }, newRequestId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 2))
  expect(newRequestId() > ids.toSorted().at(-1)!).toBe(true)
})
