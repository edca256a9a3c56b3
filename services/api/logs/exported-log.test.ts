import { expect, test } from 'vitest'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { columns, toExportedLog } from './exported-log.ts'

const [keyId, tokenId] = ['0199a000-0000-7000-8000-000000000001', '0199a000-0000-7000-8000-000000000002']
const log = { apiKeyId: keyId, tokenId, costNanoUsd: 112_500 } as RequestLogSummary

test('what is not known is null', () => {
  expect(toExportedLog(log, new Map())).toMatchObject({ apiKeyName: null, tokenName: null })
  const none = { ...log, apiKeyId: null, tokenId: null, costNanoUsd: null }
  expect(toExportedLog(none, new Map())).toEqual({ ...none, apiKeyName: null, tokenName: null, costUsd: null })
})

test('every field of the list is exported, and columns that programs know stay where they are', () => {
  expect(columns).toEqual(expect.arrayContaining(RequestLogSummary.keyof().options))
  expect(columns.join(' ')).toMatch(
    /^id createdAt method endpoint model responseStatus responseTime .* apiKeyId tokenId outcome requestCount errorCode errorType tags apiKeyName tokenName costUsd/,
  )
})
