import { z } from 'zod'
import { accountKey } from '#web/lib/session/account-storage.ts'
import { readStored, writeStored } from '#web/lib/browser/stored.ts'
import { TesterRequest, withoutSecrets } from './tester-request.ts'

const maxEntries = 10
const keyOf = (accountId: string) => accountKey(accountId, 'tester-history')

const HistoryEntry = z.object({
  request: TesterRequest.transform(withoutSecrets),
  status: z.number(),
  durationMs: z.number(),
  sentAt: z.iso.datetime(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const readHistory = (accountId: string) => readStored(keyOf(accountId), z.array(HistoryEntry), [])

/** Keeps the last ten in this browser, newest first, without credentials. */
export function addToHistory(accountId: string, entry: HistoryEntry): HistoryEntry[] {
  const entries = [HistoryEntry.parse(entry), ...readHistory(accountId)].slice(0, maxEntries)
  writeStored(keyOf(accountId), entries)
  return entries
}

export function clearHistory(accountId: string): HistoryEntry[] {
  writeStored(keyOf(accountId), [])
  return []
}
