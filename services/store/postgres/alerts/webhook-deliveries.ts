import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { firstRow } from '../require-row.ts'

/** Maximum number of deliveries that wait for one webhook; the oldest beyond it are given up. */
const waitingPerWebhook = 1_000

const keptDays = 30

/** Longer than an attempt takes. After it, another worker claims the delivery of a worker that died. */
const leaseSeconds = 60

/** Follows Standard Webhooks. */
interface WebhookMessage {
  type: string
  timestamp: string
  data: unknown
}

export interface DueDelivery {
  id: string
  accountId: string
  webhookId: string
  url: string
  sealedSecret: Buffer
  body: string
  /** Includes this one. */
  attempts: number
}

export type AttemptResult = { status: number | null; error: string | null }

export type WebhookDeliveryStore = ReturnType<typeof createWebhookDeliveryStore>

export const createWebhookDeliveryStore = (sql: Sql) => ({
  /** Claims a due delivery. @param except webhooks and accounts that this worker is busy with */
  claim: (except: { webhookIds: readonly string[]; accountIds: readonly string[] }): Promise<DueDelivery | undefined> =>
    firstRow(sql<DueDelivery[]>`
      update webhook_deliveries d set attempts = d.attempts + 1,
        next_attempt_at = now() + ${leaseSeconds} * interval '1 second'
      from webhooks w
      where w.id = d.webhook_id and d.id = (
        select due.id from webhook_deliveries due join accounts a on a.id = due.account_id
        where due.delivered_at is null and due.failed_at is null and due.next_attempt_at <= now()
          and a.disabled_at is null
          and due.webhook_id <> all(${[...except.webhookIds]}) and due.account_id <> all(${[...except.accountIds]})
        order by due.next_attempt_at limit 1 for update of due skip locked)
      returning d.id, d.account_id as "accountId", d.webhook_id as "webhookId", w.url,
        w.sealed_secret as "sealedSecret", d.body, d.attempts`),

  async markDelivered(id: string, { status }: AttemptResult): Promise<void> {
    await sql`
      update webhook_deliveries set delivered_at = now(), last_status = ${status}, last_error = null where id = ${id}`
  },

  async markFailed(id: string, { status, error }: AttemptResult): Promise<void> {
    await sql`
      update webhook_deliveries set failed_at = now(), last_status = ${status}, last_error = ${error} where id = ${id}`
  },

  async retryLater(id: string, { status, error }: AttemptResult, delayMs: number): Promise<void> {
    await sql`
      update webhook_deliveries set next_attempt_at = now() + ${delayMs} * interval '1 millisecond',
        last_status = ${status}, last_error = ${error}
      where id = ${id}`
  },

  async prune(): Promise<void> {
    await sql`delete from webhook_deliveries where created_at < now() - ${keptDays} * interval '1 day'`
  },
})

/** Call it in the transaction of the change that the message reports, so that the message is written once. */
export async function insertDeliveries(
  tx: Sql | Transaction,
  accountId: string,
  webhookIds: readonly string[],
  message: WebhookMessage,
): Promise<void> {
  if (webhookIds.length === 0) return
  await tx`
    insert into webhook_deliveries (id, account_id, webhook_id, type, body)
    select message.id, webhooks.account_id, webhooks.id, ${message.type}, ${JSON.stringify(message)} from webhooks
    join unnest(${[...webhookIds]}::uuid[], ${webhookIds.map(() => uuidv7())}::uuid[]) as message (webhook_id, id)
      on message.webhook_id = webhooks.id
    where webhooks.account_id = ${accountId}`
  await tx`
    update webhook_deliveries set failed_at = now(), last_error = 'Too many messages were waiting.'
    where id in (
      select id from (
        select id, row_number() over (partition by webhook_id order by id desc) as position from webhook_deliveries
        where account_id = ${accountId} and webhook_id = any(${[...webhookIds]})
          and delivered_at is null and failed_at is null) waiting
      where position > ${waitingPerWebhook})`
}
