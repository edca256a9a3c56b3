import { z } from 'zod'
import { Timezone } from './timezone.ts'

/** Source: product.md 2.10. */
export const Preferences = z.object({
  emailNotifications: z.boolean().default(true),
  securityAlerts: z.boolean().default(true),
  usageReports: z.boolean().default(false),
  theme: z.enum(['light', 'dark', 'system']).default('system'),
  timezone: z.string().default('UTC').describe('Name in the IANA time zone database.'),
  language: z.string().default('en').describe('BCP 47 tag.'),
})
export type Preferences = z.infer<typeof Preferences>

/** Omitted fields keep their values. */
export const ChangePreferences = z
  .object({
    emailNotifications: z.boolean(),
    securityAlerts: z.boolean(),
    usageReports: z.boolean(),
    theme: z.enum(['light', 'dark', 'system']),
    timezone: Timezone,
    language: z.string().max(35, { message: 'Unknown language', abort: true }).refine(isLanguage, 'Unknown language'),
  })
  .partial()
export type ChangePreferences = z.infer<typeof ChangePreferences>

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
