import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { columns, columnTypes, type ExportedLog } from './exported-log.ts'
import { exportedLog as log } from './exported-log.fixture.ts'
import { toParquet } from './parquet.ts'

async function fileOf(...pages: ExportedLog[][]): Promise<ArrayBuffer> {
  async function* read() {
    yield* pages
  }
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of toParquet(read())) chunks.push(chunk)
  return new Blob(chunks).arrayBuffer()
}

const toRow = (each: ExportedLog) => ({
  ...each,
  createdAt: new Date(each.createdAt),
  tags: JSON.stringify(each.tags),
  ...Object.fromEntries(
    columns
      .filter((name) => columnTypes[name] === 'INT64')
      .map((name) => [name, typeof each[name] === 'number' ? BigInt(each[name]) : null]),
  ),
})

test('every value is read as it was written, with a row group for each page', async () => {
  const unknown = Object.fromEntries(columns.map((name) => [name, null])) as Partial<ExportedLog>
  const { id, createdAt, tags } = log()
  const pages = [[log(), log({ model: 'o3' })], [log({ ...unknown, id, createdAt, tags })]]
  const file = await fileOf(...pages)
  expect(await parquetReadObjects({ file })).toEqual(pages.flat().map(toRow))
  expect(parquetMetadata(file).row_groups).toHaveLength(2)
})

test('a file without rows has its columns', async () => {
  const { schema, num_rows: rows } = parquetMetadata(await fileOf())
  expect([rows, schema.slice(1).map(({ name }) => name)]).toEqual([0n, columns])
})
