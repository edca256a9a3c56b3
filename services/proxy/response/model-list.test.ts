import { expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { ModelListResponse } from './model-list.ts'

function listed(length: number): unknown {
  let body = ''
  const sink = {
    reserve: () => true,
    writeHead: () => undefined,
    write: () => true,
    end: (last?: Buffer) => void (body += String(last)),
  }
  const response = new ModelListResponse(sink, { status: 200, headers: [] }, ['a'])
  response.push(Buffer.from(`{"data":[{"id":"a"}${',[]'.repeat(length / 3)}]}`))
  response.end()
  return JSON.parse(body).data
}

test('a list that is too long to be parsed in one turn of the event loop becomes empty', () => {
  expect(listed(mib / 2)).toEqual([{ id: 'a' }])
  expect(listed(mib)).toEqual([])
})
