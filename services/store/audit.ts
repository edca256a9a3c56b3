import type { Sql, Transaction } from '#core/resources.ts'
import type { AuditAction } from '#schemas/audit.ts'

/** Where a call comes from. */
export interface Origin {
  clientAddress: string | null
  userAgent: string | null
}

/** Remembers an action; call it with the transaction of the change, so that both happen or none. */
export async function recordAudit(
  sql: Sql | Transaction,
  accountId: string,
  action: AuditAction,
  subject: string | null,
  { clientAddress, userAgent }: Origin,
): Promise<void> {
  await sql`
    insert into audit_entries (account_id, action, subject, client_address, user_agent)
    values (${accountId}, ${action}, ${subject}, ${clientAddress}, ${userAgent})`
}
