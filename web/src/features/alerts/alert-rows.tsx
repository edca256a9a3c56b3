import { useMutation } from '@tanstack/react-query'
import { Bell, BellOff, BellRing, History, Pencil, Send, Trash2 } from 'lucide-react'
import { describeCondition, describeFilters } from '#schemas/alert-texts.ts'
import type { Alert } from '#schemas/alerts.ts'
import { day, hour } from '#schemas/units.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { gatewayNow } from '#web/lib/browser/gateway-clock.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Menu, MenuHeading, MenuItem } from '#web/ui/menu.tsx'
import { Name } from '#web/ui/name.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AlertStateBadge } from './alert-state-badge.tsx'
import { changeAlertMutation, testAlertMutation } from './alerts-queries.ts'

type RowActions = {
  /** When the alerts were loaded, ms since 1970. */
  loadedAt: number
  onEdit: (alert: Alert) => void
  onHistory: (alert: Alert) => void
  onDelete: (alert: Alert) => void
}

export const AlertRows = ({
  alerts,
  onAdd,
  ...actions
}: RowActions & { alerts: readonly Alert[]; onAdd: () => void }) => (
  <Panel>
    {alerts.length === 0 ? (
      <EmptyState
        icon={Bell}
        title="No alerts yet"
        action={
          <Button size="sm" onClick={onAdd}>
            Add Your First Alert
          </Button>
        }
      >
        An alert watches the requests that you choose, and tells you once when they leave a limit.
      </EmptyState>
    ) : (
      <ul aria-label="Alerts" className="divide-y divide-line">
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} {...actions} />
        ))}
      </ul>
    )}
  </Panel>
)

/** Alerts are evaluated every minute. After this delay, ms, an alert shows up to which time it was evaluated. */
const lateMs = 10 * 60_000

function AlertRow({ alert, loadedAt, onEdit, onHistory, onDelete }: RowActions & { alert: Alert }) {
  const test = useMutation(testAlertMutation)
  const { enabled, judgedUntil, lastChangeAt, silencedUntil } = alert
  const isLate = enabled && judgedUntil !== null && loadedAt - Date.parse(judgedUntil) > lateMs
  const name = visibleLine(alert.name)
  const { tokens, keys } = useCredentialNames(alert.filters.token)
  const filters = describeFilters(alert.filters, (id) => credentialName([...tokens, ...keys], id))
  return (
    <li className="flex flex-col gap-3 px-4 py-4 md:flex-row md:items-center md:justify-between">
      <div className="min-w-0">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 font-semibold break-words sm:truncate">
            <Name text={alert.name} />
          </h2>
          <AlertStateBadge alert={alert} />
        </div>
        <p className="wrap-anywhere text-muted">{visibleLine([describeCondition(alert), ...filters].join(' · '))}</p>
        <p className="text-xs text-muted">
          Last change: <DateTime value={lastChangeAt} precision="minute" empty="none" />
          {silencedUntil !== null && (
            <>
              {' · '}Silenced until <DateTime value={silencedUntil} precision="minute" />
            </>
          )}
          {isLate && (
            <>
              {' · '}Evaluated up to <DateTime value={judgedUntil} precision="minute" />
            </>
          )}
          {!alert.mail && alert.webhookIds.length === 0 && ' · No receivers'}
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        <SilenceMenu alert={alert} />
        <IconButton
          label={`Send a test of ${name}`}
          icon={<Send />}
          title="Send a test"
          unavailable={test.isPending}
          onClick={() => test.mutate(alert.id)}
        />
        <IconButton label={`History of ${name}`} icon={<History />} title="History" onClick={() => onHistory(alert)} />
        <IconButton label={`Edit ${name}`} icon={<Pencil />} onClick={() => onEdit(alert)} />
        <IconButton variant="ghost-danger" label={`Delete ${name}`} icon={<Trash2 />} onClick={() => onDelete(alert)} />
      </div>
    </li>
  )
}

const silences = [
  { label: '1 hour', ms: hour },
  { label: '4 hours', ms: 4 * hour },
  { label: '1 day', ms: day },
  { label: '7 days', ms: 7 * day },
]

function SilenceMenu({ alert: { id, name, silencedUntil } }: { alert: Alert }) {
  const { mutate, isPending } = useMutation(changeAlertMutation)
  const silence = (until: string | null) => mutate({ id, changes: { silencedUntil: until } })
  return (
    <Menu
      label="Silence"
      className="w-48"
      trigger={
        <IconButton
          label={`Silence ${visibleLine(name)}`}
          icon={silencedUntil === null ? <BellRing /> : <BellOff />}
          title="Silence"
          unavailable={isPending}
        />
      }
    >
      <MenuHeading>Send nothing for</MenuHeading>
      {silences.map(({ label, ms }) => (
        <MenuItem key={label} onSelect={() => silence(new Date(gatewayNow() + ms).toISOString())}>
          {label}
        </MenuItem>
      ))}
      {silencedUntil !== null && <MenuItem onSelect={() => silence(null)}>End the silence</MenuItem>}
    </Menu>
  )
}
