import { z } from 'zod'
import { readSearch } from '#web/lib/search-params.ts'

export const profileTabs = ['profile', 'security', 'preferences', 'billing'] as const
export type ProfileTab = (typeof profileTabs)[number]

export const readProfileSearch = (raw: Record<string, unknown>) => readSearch({ tab: z.enum(profileTabs) }, raw)
