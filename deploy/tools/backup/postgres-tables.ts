import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { checkRows, type RowCounts } from './row-counts.ts'

const extension = '.copy.zst'

/**
 * Copies a consistent snapshot of all tables, one file each, without blocking writers.
 * @returns the rows of each table
 */
export async function exportPostgres(sql: Sql, folder: string): Promise<RowCounts> {
  await mkdir(folder, { recursive: true })
  const counts: RowCounts = {}
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`
    for (const table of await tablesOf(tx)) {
      const rows = await tx`copy ${tx(table)} (${tx(await columnsOf(tx, table))}) to stdout`.readable()
      await pipeline(rows, createZstdCompress(), createWriteStream(join(folder, table + extension)))
      counts[table] = await countRows(tx, table)
    }
  })
  return counts
}

/** Fills empty tables from such files, all or none. */
export async function importPostgres(sql: Sql, folder: string, counts: RowCounts): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    for (const table of await tablesOf(tx)) {
      const rows = await tx`copy ${tx(table)} (${tx(await columnsOf(tx, table))}) from stdin`.writable()
      await pipeline(createReadStream(join(folder, table + extension)), createZstdDecompress(), rows)
      checkRows(table, counts[table], await countRows(tx, table))
    }
  })
}

async function countRows(tx: Transaction, table: string): Promise<number> {
  const [row] = await tx<{ rows: string }[]>`select count(*) as rows from ${tx(table)}`
  return Number(row?.rows)
}

/** @returns all tables except that of the migrations, each after the tables that it references */
async function tablesOf(tx: Transaction): Promise<string[]> {
  const tables = await tx<{ name: string; needs: string[] }[]>`
    select c.relname as name, array(
      select f.confrelid::regclass::text from pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
    ) as needs
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
    order by c.relname`
  const ordered: string[] = []
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, needs }) => !ordered.includes(name) && needs.every((other) => ordered.includes(other)),
    )
    if (!next) throw new Error('Tables that refer to each other have no order in which they can be filled.')
    ordered.push(next.name)
  }
  return ordered
}

/** Ordered by name, because the order in the table depends on the database's migration history. */
async function columnsOf(tx: Transaction, table: string): Promise<string[]> {
  const columns = await tx<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'
    order by column_name`
  return columns.map(({ name }) => name)
}
