import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { hasRows } from '../require-row.ts'

/** An account keeps its most recently used devices. */
const maxDevices = 50

export type DeviceCookieStore = ReturnType<typeof createDeviceCookieStore>

export const createDeviceCookieStore = (sql: Sql) => ({
  /** Takes no account id, because it runs before a sign-in. @param usernameKey folded */
  isKnown: (usernameKey: string, idHash: Buffer): Promise<boolean> =>
    hasRows(sql`
      select 1 from device_cookies d join accounts a on a.id = d.account_id
      where a.username_key = ${usernameKey} and d.id_hash = ${idHash}`),
})

/** Call it in the transaction of the sign-in. */
export async function rememberDevice(tx: Transaction, accountId: string, idHash: Buffer): Promise<void> {
  await tx`
    insert into device_cookies (account_id, id_hash) values (${accountId}, ${idHash})
    on conflict (account_id, id_hash) do update set last_used_at = now()`
  await tx`
    delete from device_cookies where account_id = ${accountId} and id_hash not in (
      select id_hash from device_cookies where account_id = ${accountId} order by last_used_at desc limit ${maxDevices})`
}
