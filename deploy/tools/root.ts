import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
