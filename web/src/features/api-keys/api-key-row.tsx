import { useMutation } from '@tanstack/react-query'
import { Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { ApiKey, ApiKeyState } from '#schemas/api-keys.ts'
import { formatCount } from '#web/lib/text/format.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Name } from '#web/ui/name.tsx'
import { setPrimaryMutation, testKeyMutation } from './api-keys-queries.ts'
import { KeyBadges } from './key-badges.tsx'
import { KeyState } from './key-state.tsx'

/** Fits the four actions of a backup key on one line of 360 px. */
const narrow = 'max-sm:px-2'

type ApiKeyRowProps = { apiKey: ApiKey; state: ApiKeyState | undefined; onRename: () => void; onDelete: () => void }

export function ApiKeyRow({ apiKey, state, onRename, onDelete }: ApiKeyRowProps) {
  const testRef = useRef<HTMLButtonElement>(null)
  const { mutate: setPrimary, isPending } = useMutation(setPrimaryMutation)
  const { mutate: test, isPending: isTesting } = useMutation(testKeyMutation)
  return (
    <li className="flex flex-col gap-3 px-4 py-4">
      <div className="flex flex-col gap-3 md:flex-row md:items-center md:gap-6">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 font-semibold break-words sm:truncate">
              <Name text={apiKey.name} />
            </h2>
            <KeyBadges apiKey={apiKey} />
          </div>
          <p translate="no" className="mt-1 font-mono text-xs break-all text-muted">
            {apiKey.key}
          </p>
        </div>
        <Facts
          layout="row"
          facts={[
            { label: 'Usage', value: formatCount(apiKey.usageCount), numeric: true },
            { label: 'Last used', value: <DateTime value={apiKey.lastUsed} precision="minute" empty="Never" /> },
            { label: 'Created', value: <DateTime value={apiKey.createdAt} precision="day" /> },
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <KeyState state={state} />
        <div className="ml-auto flex flex-wrap justify-end sm:gap-2">
          {!apiKey.isPrimary && (
            <Button
              size="sm"
              className={narrow}
              aria-label={`Set as Primary: ${apiKey.name}`}
              pendingText={isPending && 'Setting...'}
              onClick={() => setPrimary(apiKey.id, { onSuccess: () => testRef.current?.focus() })}
            >
              Set as Primary
            </Button>
          )}
          <Button
            ref={testRef}
            variant="ghost"
            size="sm"
            className={narrow}
            aria-label={`Test ${apiKey.name}`}
            pendingText={isTesting && 'Testing...'}
            onClick={() => test(apiKey.id)}
          >
            <RefreshCw className="max-sm:hidden" />
            Test
          </Button>
          <div className="flex sm:gap-2">
            <Button
              variant="ghost"
              size="sm"
              className={narrow}
              aria-label={`Rename ${apiKey.name}`}
              onClick={onRename}
            >
              <Pencil className="max-sm:hidden" />
              Rename
            </Button>
            <IconButton variant="ghost-danger" label={`Delete ${apiKey.name}`} icon={<Trash2 />} onClick={onDelete} />
          </div>
        </div>
      </div>
    </li>
  )
}
