import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { ChangeView, NewView, View } from '#schemas/views.ts'
import { accountList } from './account-list.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { rejectTaken } from './constraints.ts'
import { firstRow } from './require-row.ts'

const views = accountList({ table: 'views', entry: 'view', limitOf: () => 100 })

const taken = {
  views_account_name: { code: 'view-exists', field: 'name', message: 'Another view has this name' },
} as const

export type ViewStore = ReturnType<typeof createViewStore>

export const createViewStore = (sql: Sql) => ({
  list: (accountId: string): Promise<View[]> => sql<View[]>`
    select ${columns(sql)} from views where account_id = ${accountId} order by name, id`,

  get: (accountId: string, id: string): Promise<View | undefined> =>
    firstRow(sql<View[]>`select ${columns(sql)} from views where account_id = ${accountId} and id = ${id}`),

  /** @throws Problem `limit-reached` | `view-exists` */
  create: (accountId: string, { screen, name, search }: NewView, by: AuditSource): Promise<View> =>
    rejectTaken(taken, () =>
      sql.begin((tx) =>
        views.add(
          tx,
          accountId,
          name,
          by,
          () => tx<[View]>`
            insert into views (id, account_id, screen, name, search)
            values (${uuidv7()}, ${accountId}, ${screen}, ${name}, ${asJson(tx, search)})
            returning ${columns(sql)}`,
        ),
      ),
    ),

  /** @throws Problem `view-exists` */
  change: (accountId: string, id: string, { name, search }: ChangeView, by: AuditSource): Promise<View | undefined> =>
    rejectTaken(taken, () =>
      sql.begin(async (tx) => {
        const [row] = await tx<View[]>`
          update views set name = ${name}, search = ${asJson(tx, search)}
          where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
        if (row) await recordAudit(tx, accountId, 'view-changed', name, by)
        return row
      }),
    ),

  remove: (accountId: string, id: string, by: AuditSource): Promise<boolean> =>
    sql.begin((tx) => views.remove(tx, accountId, id, by)),
})

/** Sent as text first, because the driver sends objects as jsonb. */
const asJson = (tx: Transaction, search: View['search']) => tx`${JSON.stringify(search)}::text::json`

const columns = (sql: Sql) => sql`id, screen, name, search`
