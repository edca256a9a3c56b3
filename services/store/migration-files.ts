import { readdir } from 'node:fs/promises'

export const migrationFolders = {
  postgres: new URL('../../schemas/postgres/', import.meta.url),
  clickhouse: new URL('../../schemas/clickhouse/', import.meta.url),
}

export const listMigrations = async (folder: URL): Promise<string[]> =>
  (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
