import { z } from 'zod'
import { useStored } from '#web/lib/use-stored.ts'
import { defaultVisibility } from './log-columns.tsx'

const Settings = z.object({
  columns: z.record(z.string(), z.boolean()),
  density: z.enum(['normal', 'dense']),
})
export type TableSettings = z.infer<typeof Settings>

const initial: TableSettings = { columns: defaultVisibility, density: 'normal' }

/** Stored in this browser; a personal preference, so not part of the URL. */
export const useTableSettings = () => useStored('sallyport.logs.table', Settings, initial)
