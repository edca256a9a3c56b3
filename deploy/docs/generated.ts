import { withScalingTables } from '#deploy/scaling/tables.ts'
import { withVariableTable } from './variable-table.ts'

/** Documents with parts that come from the code, and how these are written. */
export const generated: Record<string, (text: string) => string> = {
  'deploy/README.md': withVariableTable,
  'deploy/scaling.md': withScalingTables,
}
