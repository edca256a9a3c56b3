import { z } from 'zod'
import { useStored } from '#web/lib/use-stored.ts'
import { hiddenAtFirst } from './log-columns.tsx'

const Settings = z.object({
  columns: z.record(z.string(), z.boolean()),
  density: z.enum(['normal', 'dense']),
})
export type TableSettings = z.infer<typeof Settings>

const initial: TableSettings = { columns: hiddenAtFirst, density: 'normal' }

/** How this browser shows the table: a matter of taste, so not part of the address. */
export const useTableSettings = () => useStored('sallyport.logs.table', Settings, initial)
