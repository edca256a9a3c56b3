import type { Sql } from '#core/stores/postgres.ts'
import type { CreateWebhook, WebhookDelivery } from '#schemas/webhooks.ts'
import type { SecretContext } from '#shared/vault.ts'
import { accountList } from '../account-list.ts'
import type { AuditSource } from '../audit.ts'
import { hasRows } from '../require-row.ts'
import { insertDeliveries } from './webhook-deliveries.ts'

const webhooks = accountList({ table: 'webhooks', entry: 'webhook', limitOf: () => 10 })

const deliveriesShown = 50

interface NewWebhook extends CreateWebhook {
  id: string
  sealedSecret: Buffer
}

export interface WebhookRow {
  id: string
  name: string
  url: string
  createdAt: Date
}

export interface DeliveryRow extends Pick<WebhookDelivery, 'id' | 'type' | 'state' | 'attempts' | 'status' | 'error'> {
  webhookId: string
  createdAt: Date
  nextAttemptAt: Date | null
}

/** A secret can be decrypted only for its account and webhook. */
export const webhookContext = (accountId: string, recordId: string): SecretContext => ({
  accountId,
  recordId,
  field: 'webhook-secret',
})

export type WebhookStore = ReturnType<typeof createWebhookStore>

export const createWebhookStore = (sql: Sql) => ({
  list: (accountId: string): Promise<WebhookRow[]> => sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where account_id = ${accountId} order by created_at, id`,

  /** @throws Problem `limit-reached` */
  create: (accountId: string, webhook: NewWebhook, by: AuditSource): Promise<WebhookRow> =>
    sql.begin((tx) =>
      webhooks.add(
        tx,
        accountId,
        webhook.name,
        by,
        () => tx<[WebhookRow]>`
          insert into webhooks (id, account_id, name, url, sealed_secret)
          values (${webhook.id}, ${accountId}, ${webhook.name}, ${webhook.url}, ${webhook.sealedSecret})
          returning ${columns(sql)}`,
      ),
    ),

  /** Also deletes the messages that wait for the webhook. */
  remove: (accountId: string, id: string, by: AuditSource): Promise<boolean> =>
    sql.begin((tx) => webhooks.remove(tx, accountId, id, by)),

  exists: (accountId: string, id: string): Promise<boolean> =>
    hasRows(sql`select 1 from webhooks where account_id = ${accountId} and id = ${id}`),

  test: (accountId: string, id: string): Promise<void> =>
    insertDeliveries(sql, accountId, [id], { type: 'test', timestamp: new Date().toISOString(), data: {} }),

  /** The newest delivery of each webhook. */
  lastDeliveries: (accountId: string): Promise<DeliveryRow[]> => sql<DeliveryRow[]>`
    select d.* from webhooks w cross join lateral (
      select ${deliveryColumns(sql)} from webhook_deliveries where webhook_id = w.id order by id desc limit 1) d
    where w.account_id = ${accountId}`,

  deliveries: (accountId: string, id: string): Promise<DeliveryRow[]> => sql<DeliveryRow[]>`
    select ${deliveryColumns(sql)} from webhook_deliveries
    where account_id = ${accountId} and webhook_id = ${id} order by id desc limit ${deliveriesShown}`,
})

const columns = (sql: Sql) => sql`id, name, url, created_at as "createdAt"`

const deliveryColumns = (sql: Sql) => sql`
  id, webhook_id as "webhookId", type, created_at as "createdAt", attempts, last_status as status, last_error as error,
  case when delivered_at is not null then 'delivered' when failed_at is not null then 'failed' else 'waiting' end as state,
  case when delivered_at is null and failed_at is null then next_attempt_at end as "nextAttemptAt"`
