import { parseCookie } from 'cookie'
import { expect, test } from 'vitest'
import { Login, Register, UpdateProfile } from '#schemas/account.ts'
import { AnalyticsQuery } from '#schemas/analytics.ts'
import { CreateApiKey } from '#schemas/api-keys.ts'
import { ChangePreferences } from '#schemas/preferences.ts'
import { SaveProxyConfig } from '#schemas/proxy-config.ts'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { CreateSecureToken } from '#schemas/secure-tokens.ts'
import { maxHeaderBytes } from '#core/http/http-guard.ts'
import { cpuTimeOf } from '#core/cpu-time.fixture.ts'
import { kib, mib } from '#core/units.ts'
import { foldText, unescapeJson } from '#store/clickhouse/logs/search-text.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { routeOf } from '#schemas/route-of.ts'
import { toCsv } from '../logs/csv.ts'
import { deviceOf } from '../sign-in/device.ts'

/** Longest allowed blocking of the event loop, ms of processor time. */
const maxBlockingMs = 50

/** Longest text in a row, characters. */
const longestCell = 4_096

const markers = [...'a .@-0%/\\"\'ß\0😀', 'a@', 'a.', 'a@a.', '..', '1.', '::']
const flood = (marker: string, length: number) => marker.repeat(Math.ceil(length / marker.length)).slice(0, length)

const bodies = { Login, Register, UpdateProfile, CreateApiKey, CreateSecureToken, SaveProxyConfig, ChangePreferences }
const accountFields = ['username', 'email', 'password', 'firstName', 'lastName', 'inviteCode', 'code']
const fields = [...accountFields, 'name', 'key', 'expiresAt', 'baseUrl', 'timezone', 'language', 'theme']

test.each(markers)('a body of 1 MiB of %j, in whichever field it is', (marker) => {
  const text = flood(marker, mib)
  for (const [name, schema] of Object.entries(bodies)) {
    for (const field of fields) {
      const ran = cpuTimeOf(() => schema.safeParse({ [field]: text }))
      expect({ name, field, isSlow: ran > maxBlockingMs }).toEqual({ name, field, isSlow: false })
    }
    expect(cpuTimeOf(() => schema.safeParse({ models: [text], allowedAddresses: [text] }))).toBeLessThan(maxBlockingMs)
  }
})

test.each(markers)('a query or a header of nothing but %j', (marker) => {
  const text = flood(marker, maxHeaderBytes)
  const query = { search: text, searchMode: 'substring', model: text, endpoint: text, from: text, timezone: text }
  for (const run of [
    () => RequestLogQuery.safeParse(query),
    () => AnalyticsQuery.safeParse(query),
    () => deviceOf(text),
    () => deviceOf(`Mozilla/5.0 (${text}) AppleWebKit/${text}`),
    () => parseCookie(text),
    () => routeOf(`/v1/${text}`),
    () => foldName(text),
  ]) {
    expect({ run: String(run), isSlow: cpuTimeOf(run) > maxBlockingMs }).toEqual({ run: String(run), isSlow: false })
  }
})

test.each(markers)('a cell of an export of nothing but %j', (marker) => {
  expect(cpuTimeOf(() => toCsv([[flood(marker, longestCell)]]))).toBeLessThan(maxBlockingMs)
})

test.each(['\\', '\\n', '\\u0301', '\u0301\u0316'])('the searchable part of a body of nothing but %j', (marker) => {
  expect(cpuTimeOf(() => foldText(unescapeJson(flood(marker, 16 * kib))))).toBeLessThan(maxBlockingMs)
})
