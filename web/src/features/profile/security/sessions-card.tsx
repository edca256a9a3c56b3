import { useMutation, useQuery } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useRef } from 'react'
import { formatTime } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { endSessionMutation } from '../profile-mutations.ts'
import { sessionsQuery } from '../profile-queries.ts'

export function SessionsCard() {
  const zone = useTimeZone()
  const sessions = useQuery(sessionsQuery)
  const listRef = useRef<HTMLUListElement>(null)
  const { mutate, isPending } = useMutation(endSessionMutation)
  // The pressed button disappears with its session.
  const end = (id: string | null) => mutate(id, { onSuccess: () => listRef.current?.focus() })
  const others = sessions.data?.filter((session) => !session.current).length ?? 0
  return (
    <Card
      title="Sessions"
      description="Where you are signed in"
      action={
        others > 0 && (
          <Button size="sm" unavailable={isPending} onClick={() => end(null)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <QueryView query={sessions} skeleton={<RowSkeletons rows={2} />} errorTitle="The sessions could not be loaded">
        {(list) => (
          <ul ref={listRef} tabIndex={-1} className="divide-y divide-line outline-none">
            {list.map((session) => (
              <li key={session.id} className="flex items-center gap-3 px-4 py-3">
                <Monitor aria-hidden="true" className="size-4 shrink-0 text-muted" />
                <div className="min-w-0 flex-1">
                  <p className="flex items-center gap-2 font-medium">
                    <span className="truncate">{visibleLine(session.device)}</span>
                    {session.current && <Badge tone="ok">This device</Badge>}
                  </p>
                  <p className="text-xs text-muted">
                    {session.clientAddress && <span className="font-mono">{session.clientAddress} · </span>}
                    Seen <DateTime value={session.lastSeenAt} precision="minute" />
                  </p>
                </div>
                {!session.current && (
                  <Button
                    variant="ghost"
                    size="sm"
                    unavailable={isPending}
                    aria-label={`Sign out ${visibleLine(session.device)}, seen ${formatTime('second', session.lastSeenAt, zone)}`}
                    onClick={() => end(session.id)}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
