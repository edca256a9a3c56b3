import type { Sql } from '#core/stores/postgres.ts'
import { type ChangePreferences, Preferences } from '#schemas/preferences.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { firstRow } from './require-row.ts'

export type PreferencesStore = ReturnType<typeof createPreferencesStore>

export const createPreferencesStore = (sql: Sql) => ({
  async get(accountId: string): Promise<Preferences> {
    const saved = sql<Preferences[]>`select ${columns(sql)} from preferences where account_id = ${accountId}`
    return (await firstRow(saved)) ?? Preferences.parse({})
  },

  /** Omitted fields keep their values. */
  save: (accountId: string, changes: ChangePreferences, by: AuditSource): Promise<Preferences> =>
    sql.begin(async (tx) => {
      await tx`insert into preferences (account_id) values (${accountId}) on conflict do nothing`
      const [before] = await tx<[Preferences]>`
        select ${columns(sql)} from preferences where account_id = ${accountId} for update`
      const [saved] = await tx<[Preferences]>`
        update preferences set
          email_notifications = coalesce(${changes.emailNotifications ?? null}, email_notifications),
          security_alerts = coalesce(${changes.securityAlerts ?? null}, security_alerts),
          usage_reports = coalesce(${changes.usageReports ?? null}, usage_reports),
          theme = coalesce(${changes.theme ?? null}, theme),
          timezone = coalesce(${changes.timezone ?? null}, timezone),
          language = coalesce(${changes.language ?? null}, language)
        where account_id = ${accountId} returning ${columns(sql)}`
      const isSilenced = before.securityAlerts && !saved.securityAlerts
      await recordAudit(tx, accountId, isSilenced ? 'security-alerts-disabled' : 'preferences-changed', null, by)
      return saved
    }),
})

const columns = (sql: Sql) => sql`
  email_notifications as "emailNotifications", security_alerts as "securityAlerts", usage_reports as "usageReports",
  theme, timezone, language`
