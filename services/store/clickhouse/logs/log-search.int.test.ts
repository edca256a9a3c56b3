import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { requestEvent } from './request-event.fixture.ts'
import { toRows } from './request-log-rows.ts'
import { createRequestLogStore } from './request-logs.ts'

const { clickhouse, drop } = await createTestClickHouse()
const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
afterAll(drop)

const page = (query: Record<string, unknown> = {}) => RequestLogQuery.parse(query)
const insert = (events: RequestEvent[]) => logs.insert([toRows(events)], uuidv7())

test('a search finds words and, when asked, parts of them, and takes everything literally', async () => {
  const accountId = uuidv7()
  const many = Array.from({ length: 64 }, (_, at) => `word${at}`).join(' ')
  const [first, second] = [
    requestEvent({ accountId, errorMessage: 'Quota exceeded: 100% of project Zürich-7 used', errorCode: 'too_many' }),
    requestEvent({ accountId, endpoint: '/v1/embeddings', responseBody: `hello_world ${many}` }),
  ]
  await insert([first, second])
  const search = async (text: string, more: Record<string, string> = {}) =>
    (await logs.list(accountId, page({ search: text, ...more }))).map(({ id }) => id)
  for (const text of ['quota exceeded', 'EXCEEDED  quota', 'zürich', 'too_many'])
    expect(await search(text)).toEqual([first.id])
  for (const text of ['/v1/embeddings', second.id, 'hello', many]) expect(await search(text)).toEqual([second.id])
  for (const text of [`${many} other`, 'quot', '%%%', "' OR 1=1 --", 'word '.repeat(2_000)])
    expect(await search(text)).toEqual([])
  const substring = { searchMode: 'substring', timeRange: '7d' }
  expect(await search('uota exc', substring)).toEqual([first.id])
  expect(await search('100% of', substring)).toEqual([first.id])
  expect(await search('%%%', substring)).toEqual([])
  expect(await logs.count(accountId, page({ search: 'quota' }))).toEqual({ total: 1, requests: 1, isAtLeast: false })
})

test('a search finds the text of a JSON body, however its characters are escaped or composed', async () => {
  const accountId = uuidv7()
  const requestBody = String.raw`{"content":"\u4f60\u597d \u00c4rger: C:\\new \"one\"\nTwo"}`
  const [escaped, decomposed] = [{ requestBody }, { responseBody: '{"content":"한글"}'.normalize('NFD') }].map((body) =>
    requestEvent({ accountId, ...body }),
  )
  await insert([escaped!, decomposed!])
  const ids = async (search: string, searchMode: string) =>
    (await logs.list(accountId, page({ search, searchMode, timeRange: '7d' }))).map(({ id }) => id)
  for (const text of ['你好', 'ärger', 'TWO', 'one'])
    for (const mode of ['words', 'parts']) expect([text, await ids(text, mode)]).toEqual([text, [escaped!.id]])
  // As the conversation shows it, and as the body itself does.
  for (const text of [
    String.raw`C:\new "one"`,
    '"one"\ntwo',
    String.raw`C:\\new \"one\"\nTwo`,
    String.raw`\u4f60\u597d`,
  ])
    for (const mode of ['words', 'substring', 'parts'])
      expect([text, mode, await ids(text, mode)]).toEqual([text, mode, [escaped!.id]])
  expect(await ids('한글', 'words')).toEqual([decomposed!.id])
  expect(await ids('한'.normalize('NFD'), 'parts')).toEqual([decomposed!.id])
})
