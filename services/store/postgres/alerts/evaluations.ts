import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { hour } from '#core/units.ts'
import type { AlertEvent, AlertMessage } from '#schemas/alert-message.ts'
import { describeFilters } from '#schemas/alert-texts.ts'
import type { EvaluatedGroup, Evaluation } from '#shared/alerts/evaluate-alert.ts'
import { readCredentialNames } from '../credentials/credential-names.ts'
import { insertMail } from '../mails/outbox.ts'
import { readerOf } from '../mails/mail-readers.ts'
import { alertColumns, type AlertRow, changesPerAlert } from './alerts.ts'
import { insertDeliveries } from './webhook-deliveries.ts'

/** The clocks of workers differ by less, ms. */
export const aheadMs = hour

export interface DueAlert extends AlertRow {
  accountId: string
}

export type EvaluationStore = ReturnType<typeof createEvaluationStore>

/** @param hasMailbox if false, no mails are written */
export const createEvaluationStore = (sql: Sql, hasMailbox: boolean) => ({
  /** Accounts with alerts whose last window ended before the given time. */
  async dueAccounts(before: Date): Promise<string[]> {
    const rows = await sql<{ accountId: string }[]>`
      select distinct a.account_id as "accountId" from alerts a join accounts on accounts.id = a.account_id
      where a.enabled and accounts.disabled_at is null and ${isDue(sql, before)}`
    return rows.map(({ accountId }) => accountId)
  },

  /** In random order, so that a slow alert does not always delay the same others. */
  due: (accountId: string, before: Date): Promise<DueAlert[]> => sql<DueAlert[]>`
    select ${alertColumns(sql)}, a.account_id as "accountId" from alerts a
    where a.account_id = ${accountId} and a.enabled and ${isDue(sql, before)}
    order by random()`,

  /**
   * Stores states and history together with the messages about them.
   * @returns false if another worker has stored them, or the alert has changed meanwhile
   */
  save: (alert: DueAlert, { groups, changes, firing, resolved }: Evaluation, until: Date): Promise<boolean> =>
    sql.begin(async (tx) => {
      const stored = await tx`
        update alerts set groups = ${tx.json(groups)}, judged_until = ${until}
        where id = ${alert.id} and revision = ${alert.revision}
          and judged_until is not distinct from ${alert.judgedUntil}`
      if (stored.count === 0) return false
      for (const { group, from, to, value } of changes) {
        await tx`
          insert into alert_changes (id, alert_id, group_value, from_state, to_state, value, changed_at, condition)
          values (${uuidv7()}, ${alert.id}, ${group}, ${from}, ${to}, ${value}, ${until}, ${tx.json(alert.condition)})`
      }
      if (changes.length > 0) await forgetOldChanges(tx, alert.id)
      const at = until.toISOString()
      if (firing.length > 0) await notify(tx, alert, 'firing', firing, at, hasMailbox)
      if (resolved.length > 0) await notify(tx, alert, 'resolved', resolved, at, hasMailbox)
      return true
    }),

  /** Writes a test message to each of the alert's channels. */
  sendTest: (accountId: string, alert: AlertRow): Promise<void> =>
    sql.begin((tx) => notify(tx, { ...alert, accountId }, 'test', alert.groups, new Date().toISOString(), hasMailbox)),
})

/** Times that are far in the future are those of a clock that was ahead. */
const isDue = (sql: Sql, before: Date) => sql`
  (a.judged_until is null or a.judged_until < ${before} or a.judged_until > ${new Date(before.getTime() + aheadMs)})`

const forgetOldChanges = (tx: Transaction, alertId: string) => tx`
  delete from alert_changes where alert_id = ${alertId} and id not in (
    select id from alert_changes where alert_id = ${alertId} order by id desc limit ${changesPerAlert})`

async function notify(
  tx: Transaction,
  { id, accountId, name, condition, mail, webhookIds, revision }: DueAlert,
  event: AlertEvent,
  groups: readonly EvaluatedGroup[],
  at: string,
  hasMailbox: boolean,
): Promise<void> {
  const names = await readCredentialNames(tx, accountId)
  const message: AlertMessage = {
    alert: { id, name },
    condition,
    groups: groups.map(({ group, value }) => ({ group, name: names.get(group) ?? group, value })),
    filters: describeFilters(condition.filters, (credentialId) => names.get(credentialId) ?? `***${credentialId}`),
    at,
  }
  const { recipient, isConfirmed, ...reader } = await readerOf(tx, accountId)
  if (mail && hasMailbox && isConfirmed) {
    const content = { kind: 'alert' as const, ...reader, event, message }
    await insertMail(tx, accountId, { dedupeKey: `${id} ${revision} ${event} ${at}`, recipient, content })
  }
  await insertDeliveries(tx, accountId, webhookIds, { type: `alert.${event}`, timestamp: at, data: message })
}
