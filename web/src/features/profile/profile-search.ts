import { z } from 'zod'
import { readSearch } from '#web/lib/search-params.ts'

export const profileTabs = [
  { value: 'profile', label: 'Profile' },
  { value: 'security', label: 'Security' },
  { value: 'preferences', label: 'Preferences' },
  { value: 'billing', label: 'Billing' },
] as const

const shape = { tab: z.enum(profileTabs.map(({ value }) => value)) }

export const readProfileSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)
