import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { columns, columnTypes, type ExportedLog } from './exported-log.ts'

const schema = schemaFromColumnData({
  columnData: columns.map((name) => ({ name, type: columnTypes[name], data: [] })),
})

/** A Parquet file with one row group per page, so that only one page is in memory. */
export async function* toParquet(pages: AsyncIterable<ExportedLog[]>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const writer = new ByteWriter()
  // Statistics and indexes are omitted, because they make the footer grow with every row group.
  const parquet = new ParquetWriter({ writer, schema, statistics: false })
  const written = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const page of pages) {
    const columnData = columns.map((name) => ({
      name,
      data: page.map((log) => toValue(log[name], name)),
      offsetIndex: false,
    }))
    await parquet.write({ columnData, rowGroupSize: page.length })
    yield written()
  }
  await parquet.finish()
  yield written()
}

function toValue(value: ExportedLog[keyof ExportedLog], column: keyof ExportedLog): unknown {
  if (column === 'createdAt') return new Date(String(value))
  if (typeof value === 'number') return columnTypes[column] === 'INT64' ? BigInt(value) : value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
