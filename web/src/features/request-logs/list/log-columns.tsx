import {
  columnOrderingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table'
import { formatNanoUsdColumn } from '#schemas/cost-text.ts'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatCount, formatMs } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { outcomeLabels } from '#web/lib/log-filters/outcome-labels.ts'
import { RequestStatus } from '../details/request-status.tsx'
import type { LogOrder } from '#web/lib/log-filters/log-search.ts'
import { RequestCount } from './request-count.tsx'

export const features = tableFeatures({ columnVisibilityFeature, columnOrderingFeature })

const helper = createColumnHelper<typeof features, RequestLogSummary>()
const none = <span className="text-muted">–</span>
const count = (value: number | null) => (value === null ? none : formatCount(value))
const ms = (value: number | null) => (value === null ? none : formatMs(value))
const text = (value: string | null) => (value === null ? none : visibleLine(value))

function CredentialCell({ kind, id }: { kind: 'keys' | 'tokens'; id: string | null }) {
  const names = useCredentialNames(kind === 'tokens' ? [id] : [])
  return id === null ? none : visibleLine(credentialName(names[kind], id))
}

const tagsText = (tags: RequestLogSummary['tags']) =>
  Object.entries(tags)
    .map(([key, value]) => visibleLine(`${key}: ${value}`))
    .join(', ')

/** From left to right; the table adds the action buttons of a row. */
export const columns = helper.columns([
  helper.accessor('responseStatus', {
    id: 'status',
    header: 'Status',
    enableHiding: false,
    cell: ({ row }) => <RequestStatus log={row.original} isShort />,
  }),
  helper.accessor('method', { header: 'Method', enableHiding: false, cell: ({ getValue }) => text(getValue()) }),
  helper.accessor('endpoint', {
    header: 'Endpoint',
    enableHiding: false,
    cell: ({ getValue, row }) => (
      <>
        {text(getValue())}
        <RequestCount log={row.original} />
      </>
    ),
  }),
  helper.accessor('model', { header: 'Model', cell: ({ getValue }) => text(getValue()) }),
  helper.accessor(
    (log) =>
      log.promptTokens === null && log.completionTokens === null
        ? null
        : (log.promptTokens ?? 0) + (log.completionTokens ?? 0),
    { id: 'tokens', header: 'Tokens', cell: ({ getValue }) => count(getValue()) },
  ),
  helper.accessor('costNanoUsd', {
    id: 'cost',
    header: 'Cost',
    cell: ({ getValue }) => (getValue() === null ? none : formatNanoUsdColumn(getValue() ?? 0)),
  }),
  helper.accessor('timeToFirstByte', { header: 'First byte', cell: ({ getValue }) => ms(getValue()) }),
  helper.accessor('responseTime', {
    header: 'Response time',
    enableHiding: false,
    cell: ({ getValue }) => ms(getValue()),
  }),
  helper.accessor('attempts', { header: 'Attempts', cell: ({ getValue }) => count(getValue()) }),
  helper.accessor('outcome', { header: 'Outcome', cell: ({ getValue }) => outcomeLabels[getValue()] }),
  helper.accessor('tokenId', {
    id: 'token',
    header: 'Token',
    cell: ({ getValue }) => <CredentialCell kind="tokens" id={getValue()} />,
  }),
  helper.accessor('apiKeyId', {
    id: 'key',
    header: 'API key',
    cell: ({ getValue }) => <CredentialCell kind="keys" id={getValue()} />,
  }),
  helper.accessor('createdAt', {
    id: 'time',
    header: 'Timestamp',
    enableHiding: false,
    cell: ({ getValue }) => <DateTime value={getValue()} precision="millisecond" />,
  }),
  helper.accessor((log) => tagsText(log.tags), {
    id: 'tags',
    header: 'Tags',
    cell: ({ getValue }) => getValue() || none,
  }),
])

export const columnIds = columns.map((column) => column.id ?? ('accessorKey' in column ? column.accessorKey : ''))

export const isHideable = (id: string) => columns[columnIds.indexOf(id)]?.enableHiding !== false

/** Leaves room for the resize handle, so that numbers align with their heading. */
export const numericStyle = 'pr-7 text-right'

type ColumnLayout = { width: number | 'rest'; numeric?: boolean; mono?: boolean; small?: boolean }

/**
 * Column widths in px of the usual font; the `rest` column is at least 176 px wide. The default columns fit a window of
 * 1440 px.
 */
export const columnLayout: Record<string, ColumnLayout> = {
  // Fits a status with two marks.
  status: { width: 124 },
  method: { width: 70, mono: true },
  endpoint: { width: 'rest', mono: true },
  model: { width: 136, mono: true },
  tokens: { width: 90, numeric: true },
  cost: { width: 106, numeric: true },
  timeToFirstByte: { width: 120, numeric: true },
  responseTime: { width: 126, numeric: true },
  attempts: { width: 104, numeric: true },
  outcome: { width: 190 },
  token: { width: 150 },
  key: { width: 150 },
  time: { width: 184, small: true },
  tags: { width: 220, small: true },
}

export const defaultVisibility: Record<string, boolean> = {
  timeToFirstByte: false,
  attempts: false,
  outcome: false,
  token: false,
  key: false,
  tags: false,
}

/** The two sort orders of each column; the first press applies the first one. */
export const columnOrders: Record<string, readonly [LogOrder, LogOrder]> = {
  time: ['newest', 'oldest'],
  responseTime: ['slowest', 'fastest'],
  tokens: ['mostTokens', 'fewestTokens'],
  cost: ['costliest', 'cheapest'],
}
