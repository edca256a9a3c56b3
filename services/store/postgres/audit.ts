import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { AuditAction, type AuditQuery } from '#schemas/audit.ts'

export interface AuditSource {
  clientAddress: string | null
  userAgent: string | null
  /** Of the session that the change is made with, if any. */
  sessionId?: string | undefined
  /** Of a call that creates at most one entry of a list, however often it is sent. */
  idempotencyKey?: string | undefined
}

export interface AuditEntryRow extends Omit<AuditSource, 'sessionId' | 'idempotencyKey'> {
  id: string
  action: AuditAction
  subject: string | null
  createdAt: Date
}

/** Call it in the transaction of the change. */
export async function recordAudit(
  sql: Sql | Transaction,
  accountId: string,
  action: AuditAction,
  subject: string | null,
  { clientAddress, userAgent }: AuditSource,
  id: string = uuidv7(),
): Promise<void> {
  await sql`
    insert into audit_entries (id, account_id, action, subject, client_address, user_agent)
    values (${id}, ${accountId}, ${action}, ${subject}, ${clientAddress}, ${userAgent})`
}

/** Newer releases, which may share the database during an upgrade or have been rolled back, record others. */
export const isKnownAction = (sql: Sql | Transaction) => sql`action = any(${AuditAction.options})`

export type AuditStore = ReturnType<typeof createAuditStore>

export const createAuditStore = (sql: Sql) => ({
  list: (accountId: string, { limit, before }: AuditQuery): Promise<AuditEntryRow[]> => sql<AuditEntryRow[]>`
    select id, action, subject, client_address as "clientAddress", user_agent as "userAgent", created_at as "createdAt"
    from audit_entries
    where account_id = ${accountId} and ${isKnownAction(sql)} and ${
      before
        ? sql`(created_at, id) < (select created_at, id from audit_entries
            where account_id = ${accountId} and id = ${before})`
        : sql`true`
    }
    order by created_at desc, id desc limit ${limit}`,
})
