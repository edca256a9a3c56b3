import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf } from '#web/lib/api.ts'
import { twoFactorQuery } from '#web/lib/queries/two-factor.ts'
import { formatCounted } from '#web/lib/text/format.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { TwoFactorDialog, type TwoFactorTask } from './two-factor-dialog.tsx'
import { disableMutation } from './two-factor-mutations.ts'

export function TwoFactorCard() {
  const status = useQuery(twoFactorQuery)
  const dialog = useItemDialog<TwoFactorTask>()
  const [isAsking, setAsking] = useState(false)
  const disable = useMutation(disableMutation)
  return (
    <Card title="Two-Factor Sign-In" description="A code of an app besides the password">
      <div className="p-4">
        <QueryView
          query={status}
          skeleton={<Skeleton className="h-9 w-full" />}
          errorTitle="The state could not be loaded"
        >
          {({ enabled, recoveryCodesLeft }) => (
            <div className="flex flex-wrap items-center gap-3">
              <Badge tone={enabled ? 'ok' : 'neutral'} dot>
                {enabled ? 'On' : 'Off'}
              </Badge>
              {enabled && (
                <span className={recoveryCodesLeft < 3 ? 'text-warn' : 'text-muted'}>
                  {formatCounted(recoveryCodesLeft, 'recovery code')} left
                </span>
              )}
              <div className="ml-auto flex gap-2">
                {enabled ? (
                  <>
                    <Button size="sm" onClick={() => dialog.show('renew')}>
                      New codes
                    </Button>
                    <Button size="sm" onClick={() => setAsking(true)}>
                      Switch off
                    </Button>
                  </>
                ) : (
                  <Button size="sm" onClick={() => dialog.show('enable')}>
                    Set up
                  </Button>
                )}
              </div>
            </div>
          )}
        </QueryView>
      </div>
      {dialog.item && <TwoFactorDialog key={dialog.key} task={dialog.item} open={dialog.open} onClose={dialog.close} />}
      <AlertDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Switch two-factor sign-in off?"
        description="From then on your password alone signs in. Your recovery codes become void."
        actionText="Switch off"
        pendingText={disable.isPending && 'Switching off...'}
        onConfirm={() =>
          disable.mutate(undefined, {
            onSuccess: () => setAsking(false),
            // Switched off elsewhere, as a toast says.
            onError: (error) => problemOf(error)?.code === 'two-factor-disabled' && setAsking(false),
          })
        }
      />
    </Card>
  )
}
