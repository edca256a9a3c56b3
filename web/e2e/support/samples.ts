import { randomUUID } from 'node:crypto'
import type { ApiKey } from '#schemas/api-keys.ts'
import type { RequestLog, RequestLogSummary } from '#schemas/request-logs.ts'
import type { SecureToken } from '#schemas/secure-tokens.ts'

const moment = '2026-01-15T12:00:00.000Z'

const key = (name: string, isActive: boolean, isPrimary: boolean): ApiKey => ({
  id: randomUUID(),
  name,
  key: 'sk-••••••••1234',
  isActive,
  isPrimary,
  usageCount: 12,
  lastUsed: null,
  createdAt: moment,
})

export const fourKeys = [
  key('Key 1', true, true),
  key('Key 2', true, false),
  key('Key 3', true, false),
  key('Key 4', false, false),
]

export const manyKeys = Array.from({ length: 1_000 }, (_, index) => key(`Key ${index + 1}`, true, index === 0))

/** 200 characters, emoji, right-to-left letters and what looks like script. */
export const hostileNames = [
  'W'.repeat(200),
  '👩‍👩‍👧‍👦'.repeat(25),
  'مفتاح الإنتاج الرئيسي '.repeat(9).trim(),
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>',
  'evil\u202Egnp.exe',
]

export const hostileKeys = hostileNames.map((name, index) => key(name, true, index === 0))

const token = (name: string, isActive: boolean, expiresAt: string | null): SecureToken => ({
  id: randomUUID(),
  name,
  token: 'st_••••••••1234',
  isActive,
  usageCount: 1204,
  lastUsed: moment,
  expiresAt,
  createdAt: moment,
  previousSecret: null,
  logBodiesUntil: null,
  models: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  maxConcurrentRequests: null,
  dailyBudgetUsd: null,
  monthlyBudgetUsd: null,
  tags: null,
  allowedAddresses: null,
  dailySpending: null,
  monthlySpending: null,
})

/** Rotated a while ago, with its budgets nearly spent. */
const limited = (name: string): SecureToken => ({
  ...token(name, true, null),
  previousSecret: { token: 'st_••••••••5678', expiresAt: '2099-12-31T23:59:59.999Z', lastUsed: moment },
  logBodiesUntil: '2099-12-31T23:59:59.999Z',
  requestsPerMinute: 60,
  tokensPerMinute: 100_000,
  maxConcurrentRequests: 10,
  dailyBudgetUsd: 5,
  monthlyBudgetUsd: 20,
  dailySpending: { spentUsd: 4.2, reservedUsd: 0.3 },
  monthlySpending: { spentUsd: 20, reservedUsd: 0.000_03 },
})

export const tokensOfEveryState = [
  token('Lively', true, null),
  limited('Limited'),
  { ...limited('Sleeping'), isActive: false },
  token('Gone', true, '2025-12-31T23:59:59.999Z'),
]

export const hostileTokens = hostileNames.map(limited)

export const logSummary = (responseStatus: number, method: string): RequestLogSummary => ({
  id: randomUUID(),
  createdAt: moment,
  method,
  endpoint: '/v1/chat/completions',
  model: 'gpt-4o',
  responseStatus,
  responseTime: 321,
  timeToFirstByte: 100,
  overheadUs: 900,
  attempts: 1,
  cacheStatus: null,
  streamed: false,
  promptTokens: 9,
  completionTokens: 9,
  cachedTokens: 0,
  costNanoUsd: 112_500,
  costSource: 'exact',
  errorMessage: null,
  errorCode: null,
  errorType: null,
  tags: {},
  apiKeyId: null,
  tokenId: null,
  outcome: 'completed',
  requestCount: 1,
})

export const fourLogs = [
  logSummary(200, 'POST'),
  logSummary(301, 'GET'),
  logSummary(429, 'PUT'),
  logSummary(502, 'DELETE'),
]

/** As the live tail sends them. */
export const tailedLogs = Array.from({ length: 500 }, () => logSummary(200, 'POST'))

/** A log whose bodies were kept. */
export const storedLog = (requestBody: string, responseBody: string): RequestLog => ({
  ...logSummary(200, 'POST'),
  clientAddress: null,
  userAgent: null,
  query: null,
  providerRequestId: null,
  attemptLog: [],
  responses: [],
  requestHeaders: {},
  responseHeaders: {},
  requestBytes: Buffer.byteLength(requestBody),
  responseBytes: Buffer.byteLength(responseBody),
  requestBody,
  responseBody,
})

export const hostileLogs = hostileNames.map((name) => ({
  ...logSummary(429, 'POST'),
  endpoint: `/v1/${name}`,
  model: name,
  errorMessage: `\u001b[2J${name}`,
}))

/** 1,000 chats of 100 ms each, 30 of them rejected. */
export const thousandChats = Array.from({ length: 1_000 }, (_, index) => ({
  ...logSummary(index < 30 ? 429 : 200, 'POST'),
  createdAt: new Date().toISOString(),
  responseTime: 100,
}))
