import { z } from 'zod'
import { readStored, writeStored } from '#web/lib/session/account-storage.ts'
import { TesterRequest } from './tester-request.ts'

const kept = 10
const name = 'tester-history'

/** One request that was sent, with what came back. */
const HistoryEntry = z.object({
  request: TesterRequest,
  status: z.number(),
  durationMs: z.number(),
  sentAt: z.iso.datetime(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const readHistory = (accountId: string) => readStored(z.array(HistoryEntry), accountId, name) ?? []

/** Keeps the last ten in this browser, newest first. */
export function addToHistory(accountId: string, entry: HistoryEntry): HistoryEntry[] {
  const entries = [entry, ...readHistory(accountId)].slice(0, kept)
  writeStored(accountId, name, entries)
  return entries
}

export function clearHistory(accountId: string): HistoryEntry[] {
  writeStored(accountId, name, [])
  return []
}
