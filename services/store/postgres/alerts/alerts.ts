import { isDeepStrictEqual } from 'node:util'
import { v7 as uuidv7 } from 'uuid'
import { rejectField } from '#core/problem.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { AlertChange, AlertCondition, ChangeAlert, SaveAlert } from '#schemas/alerts.ts'
import type { EvaluatedGroup } from '#shared/alerts/evaluate-alert.ts'
import { accountList } from '../account-list.ts'
import { type AuditSource, recordAudit } from '../audit.ts'
import { firstRow, requireRow } from '../require-row.ts'

const alerts = accountList({ table: 'alerts', entry: 'alert', limitOf: () => 50 })

export const changesPerAlert = 200

export interface AlertRow {
  id: string
  name: string
  condition: AlertCondition
  enabled: boolean
  mail: boolean
  webhookIds: string[]
  silencedUntil: Date | null
  judgedUntil: Date | null
  lastChangeAt: Date | null
  groups: EvaluatedGroup[]
  revision: number
}

export type AlertStore = ReturnType<typeof createAlertStore>

export const createAlertStore = (sql: Sql) => ({
  list: (accountId: string): Promise<AlertRow[]> => sql<AlertRow[]>`
    select ${alertColumns(sql)} from alerts a where a.account_id = ${accountId} order by a.name, a.id`,

  get: (accountId: string, id: string): Promise<AlertRow | undefined> => readAlert(sql, accountId, id),

  /** @throws Problem `limit-reached` */
  create: (accountId: string, alert: SaveAlert, by: AuditSource): Promise<AlertRow> =>
    sql.begin(async (tx) => {
      const { name, enabled, mail, webhookIds } = alert
      const { id } = await alerts.add(
        tx,
        accountId,
        name,
        by,
        () => tx<[{ id: string }]>`
          insert into alerts (id, account_id, name, condition, enabled, mail)
          values (${uuidv7()}, ${accountId}, ${name}, ${tx.json(conditionOf(alert))}, ${enabled}, ${mail})
          returning id`,
      )
      await setWebhooks(tx, accountId, id, webhookIds)
      return requireRow(await readAlert(tx, accountId, id))
    }),

  /** Omitted fields keep their values. A changed condition is evaluated from scratch. */
  change: (accountId: string, id: string, changes: ChangeAlert, by: AuditSource): Promise<AlertRow | undefined> =>
    sql.begin(async (tx) => {
      const [locked] = await tx`select 1 from alerts where account_id = ${accountId} and id = ${id} for update`
      const before = locked && (await readAlert(tx, accountId, id))
      if (!before) return undefined
      const { silencedUntil, webhookIds, ...settings } = changes
      const after = { ...before, ...before.condition, ...settings }
      const condition = conditionOf(after)
      await tx`
        update alerts set name = ${after.name}, enabled = ${after.enabled}, mail = ${after.mail},
          silenced_until = ${silencedUntil === undefined ? before.silencedUntil : silencedUntil},
          revision = revision + 1
        where account_id = ${accountId} and id = ${id}`
      if (!isDeepStrictEqual(condition, before.condition)) {
        await tx`
          update alerts set condition = ${tx.json(condition)}, judged_until = null,
            groups = case when ${measuresSameGroups(condition, before.condition)} then groups else '[]' end
          where account_id = ${accountId} and id = ${id}`
      }
      if (webhookIds) await setWebhooks(tx, accountId, id, webhookIds)
      await recordAudit(tx, accountId, 'alert-changed', after.name, by)
      return readAlert(tx, accountId, id)
    }),

  remove: (accountId: string, id: string, by: AuditSource): Promise<boolean> =>
    sql.begin((tx) => alerts.remove(tx, accountId, id, by)),

  /** The latest state changes, newest first. */
  history: (accountId: string, id: string): Promise<(Omit<AlertChange, 'at'> & { at: Date })[]> => sql`
    select c.id, c.group_value as "group", c.from_state as "from", c.to_state as "to", c.value, c.changed_at as at,
      coalesce(c.condition, a.condition) ->> 'measure' as measure,
      coalesce(c.condition, a.condition) ->> 'group' as "groupedBy"
    from alert_changes c join alerts a on a.id = c.alert_id
    where a.account_id = ${accountId} and a.id = ${id} order by c.id desc limit ${changesPerAlert}`,
})

const readAlert = (sql: Sql | Transaction, accountId: string, id: string) =>
  firstRow(
    sql<AlertRow[]>`select ${alertColumns(sql)} from alerts a where a.account_id = ${accountId} and a.id = ${id}`,
  )

/** Drops everything except the condition. */
const conditionOf = (alert: AlertCondition): AlertCondition => ({
  measure: alert.measure,
  comparison: alert.comparison,
  threshold: alert.threshold,
  windowMinutes: alert.windowMinutes,
  filters: alert.filters,
  group: alert.group,
})

/** Without `group`, all requests are one group, whatever the filters are. A budget's groups are always tokens. */
function measuresSameGroups(a: AlertCondition, b: AlertCondition): boolean {
  const hasSameFilters = isDeepStrictEqual(a.filters, b.filters)
  if (a.measure === 'budget' || b.measure === 'budget') return a.measure === b.measure && hasSameFilters
  return a.group === b.group && (a.group === null || hasSameFilters)
}

/** @throws Problem `invalid-request` for a webhook of another account */
async function setWebhooks(tx: Transaction, accountId: string, alertId: string, webhookIds: readonly string[]) {
  const ids = [...new Set(webhookIds)]
  await tx`delete from alert_webhooks where alert_id = ${alertId}`
  const added = await tx`
    insert into alert_webhooks (alert_id, webhook_id)
    select ${alertId}, id from webhooks where account_id = ${accountId} and id = any(${ids})`
  if (added.count < ids.length) throw rejectField('webhookIds', 'There is no such webhook')
}

/** Expects the alias `alerts a`. */
export const alertColumns = (sql: Sql | Transaction) => sql`
  a.id, a.name, a.condition, a.enabled, a.mail, a.silenced_until as "silencedUntil", a.judged_until as "judgedUntil",
  a.groups, a.revision,
  array(select w.webhook_id from alert_webhooks w where w.alert_id = a.id order by w.webhook_id) as "webhookIds",
  (select max(c.changed_at) from alert_changes c where c.alert_id = a.id) as "lastChangeAt"`
