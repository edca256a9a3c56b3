import { z } from 'zod'
import { parseJson } from '#schemas/parse-json.ts'
import { tryStorage } from '../browser/stored.ts'
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
export const rememberPlace = (address: string, accountId: string | null) =>
  tryStorage(() => sessionStorage.setItem(key, JSON.stringify({ address, accountId, drafts: collectDrafts() })))

/** Returns where this account's sign-in leads, and forgets it. */
export function takePlace(accountId: string): string {
  const { data: place } = Place.safeParse(parseJson(tryStorage(() => sessionStorage.getItem(key)) ?? ''))
  if (!place) return '/'
  forgetPlace()
  if (place.accountId !== null && place.accountId !== accountId) return '/'
  restoreDrafts(place.drafts)
  return place.address
}

export const forgetPlace = () => tryStorage(() => sessionStorage.removeItem(key))
