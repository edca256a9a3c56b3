import { withScalingTables } from '#tools/scaling/tables.ts'
import { withClientExamples } from './client-examples.ts'
import { withDecisionIndex } from './decision-index.ts'
import { withLimitTable } from './limit-table.ts'
import { withVariableTable } from './variable-table.ts'

/** Documents with generated parts, and the functions that write them. */
export const generated: Record<string, (text: string) => string> = {
  'deploy/README.md': (text) => withLimitTable(withVariableTable(text)),
  'deploy/docs/clients.md': withClientExamples,
  'deploy/docs/decisions/README.md': withDecisionIndex,
  'deploy/docs/scaling.md': withScalingTables,
}
