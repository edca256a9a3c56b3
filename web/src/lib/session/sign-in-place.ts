import { z } from 'zod'
import { collectDrafts, restoreDrafts } from './form-drafts.ts'

/** The value outlives the sign-in's document, and ends with the tab. */
const key = 'sallyport.place'

/**
 * `address`: a path on this host. `accountId`: the account whose session expired there; `null` if the path was
 * requested while signed out. `drafts`: of the forms that were open there.
 */
const Place = z.object({
  address: z.string().regex(/^\/(?![/\\])/),
  accountId: z.string().nullable(),
  drafts: z.record(z.string(), z.record(z.string(), z.unknown())),
})

/** Remembers where a sign-in in this tab leads, and what was typed there. */
export function rememberPlace(address: string, accountId: string | null) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ address, accountId, drafts: collectDrafts() }))
  } catch {
    // Storage can be full or switched off: the sign-in then leads to the dashboard.
  }
}

/** Returns where this account's sign-in leads, and forgets it. */
export function takePlace(accountId: string): string {
  try {
    const place = Place.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
    forgetPlace()
    if (place.accountId !== null && place.accountId !== accountId) return '/'
    restoreDrafts(place.drafts)
    return place.address
  } catch {
    return '/'
  }
}

export function forgetPlace() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage can be switched off; then nothing was stored.
  }
}
