import type { Sql } from '#core/stores/postgres.ts'
import type { User } from '#schemas/account.ts'
import { userColumns } from './user-columns.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { requireRow } from './require-row.ts'

export type PhotoStore = ReturnType<typeof createPhotoStore>

/** Each change begins with the account's row, so that an upload and a removal follow one another. */
export const createPhotoStore = (sql: Sql) => ({
  async get(accountId: string, hash: string): Promise<Buffer | undefined> {
    const [row] = await sql<{ image: Buffer }[]>`
      select image from profile_photos where account_id = ${accountId} and hash = ${hash}`
    return row?.image
  },

  save: (accountId: string, hash: string, image: Buffer, url: string, by: AuditSource): Promise<User> =>
    sql.begin(async (tx) => {
      const [user] = await tx<User[]>`
        update accounts set profile_image_url = ${url} where id = ${accountId} returning ${userColumns(sql)}`
      await tx`
        insert into profile_photos (account_id, hash, image) values (${accountId}, ${hash}, ${image})
        on conflict (account_id) do update set hash = excluded.hash, image = excluded.image`
      await recordAudit(tx, accountId, 'photo-changed', null, by)
      return requireRow(user)
    }),

  remove: (accountId: string, by: AuditSource): Promise<User> =>
    sql.begin(async (tx) => {
      const [user] = await tx<User[]>`
        update accounts set profile_image_url = null where id = ${accountId} returning ${userColumns(sql)}`
      const removed = await tx`delete from profile_photos where account_id = ${accountId}`
      if (removed.count > 0) await recordAudit(tx, accountId, 'photo-changed', null, by)
      return requireRow(user)
    }),
})
