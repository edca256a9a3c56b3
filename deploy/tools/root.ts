import { join } from 'node:path'

/** Where the repository lies. */
export const root = join(import.meta.dirname, '../..')
