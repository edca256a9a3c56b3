import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { AuditAction } from '#schemas/audit.ts'
import { errorText } from '#web/lib/text/error-text.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { toast } from '#web/lib/toast.ts'
import { linkOfAccount } from '#web/lib/session/tab-account.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { useFocusHeir } from '#web/ui/use-focus-heir.ts'
import { auditPath, auditQuery } from '../profile-queries.ts'

/** The account's audit log, newest first. */
export function AuditCard() {
  const query = useInfiniteQuery(auditQuery)
  const { hasNextPage, isFetchingNextPage } = query

  async function loadMore() {
    const { error } = await query.fetchNextPage()
    if (error) toast({ title: 'Failed to load more activity', description: errorText(error), destructive: true })
  }

  return (
    <Card
      title="Activity"
      description="What was done to your account, and from where"
      action={
        <Button asChild size="sm">
          <a href={linkOfAccount(`${auditPath}/export`)} download>
            <Download />
            Export
          </a>
        </Button>
      }
    >
      <div tabIndex={-1} className="outline-none">
        <QueryView query={query} skeleton={<RowSkeletons rows={4} />} errorTitle="The activity could not be loaded">
          {({ pages }) => (
            <ul className="divide-y divide-line">
              {pages.flat().map(({ id, action, subject, clientAddress, createdAt }) => (
                <li
                  key={id}
                  className="grid gap-x-4 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_9rem_11rem] sm:items-center"
                >
                  <p className="min-w-0 wrap-anywhere">
                    {auditLabels[action]}
                    {subject && (
                      <span className="text-muted">
                        {' · '}
                        <bdi>{visibleLine(subject)}</bdi>
                      </span>
                    )}
                  </p>
                  <p className="font-mono text-xs text-muted max-sm:empty:hidden">{clientAddress}</p>
                  <p className="text-xs text-muted sm:text-right">
                    <DateTime value={createdAt} />
                  </p>
                </li>
              ))}
            </ul>
          )}
        </QueryView>
        {hasNextPage && <ShowMore isPending={isFetchingNextPage} onPress={() => void loadMore()} />}
      </div>
    </Card>
  )
}

function ShowMore({ isPending, onPress }: { isPending: boolean; onPress: () => void }) {
  const box = useFocusHeir<HTMLDivElement>('[tabindex]')
  return (
    <div ref={box} className="border-t border-line p-3 text-center">
      <Button size="sm" pendingText={isPending && 'Loading...'} onClick={onPress}>
        Show more
      </Button>
    </div>
  )
}

const auditLabels = {
  'account-created': 'Account created',
  'account-disabled': 'Account disabled by the operator',
  'account-enabled': 'Account enabled by the operator',
  'operator-granted': 'Made an operator of this server',
  'operator-revoked': 'No longer an operator of this server',
  'signed-in': 'Signed in',
  'signed-in-from-new-device': 'Signed in from a new device',
  'signed-out': 'Signed out',
  'session-ended': 'Session ended',
  'password-changed': 'Password changed',
  'password-reset-requested': 'Password reset requested',
  'email-confirmation-requested': 'Email confirmation requested',
  'email-confirmed': 'Email address confirmed',
  'profile-changed': 'Profile changed',
  'username-changed': 'Username changed',
  'email-changed': 'Email address changed',
  'email-change-undone': 'Email address changed back',
  'photo-changed': 'Photo changed',
  'preferences-changed': 'Preferences changed',
  'security-alerts-disabled': 'Security alerts switched off',
  'two-factor-enabled': 'Two-factor sign-in switched on',
  'two-factor-disabled': 'Two-factor sign-in switched off',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-renewed': 'Recovery codes renewed',
  'api-key-created': 'API key added',
  'api-key-made-primary': 'API key made primary',
  'api-key-renamed': 'API key renamed',
  'api-key-deleted': 'API key deleted',
  'management-key-created': 'Management key created',
  'management-key-deleted': 'Management key deleted',
  'secure-token-created': 'Secure token created',
  'secure-token-changed': 'Secure token changed',
  'secure-token-deleted': 'Secure token deleted',
  'secure-token-revealed': 'Secure token revealed',
  'secure-token-rotated': 'Secure token rotated',
  'previous-secret-ended': 'Previous secret of a token ended',
  'token-bodies-logged': 'Logging of a token’s bodies started',
  'token-bodies-ended': 'Logging of a token’s bodies ended',
  'proxy-config-changed': 'Proxy configuration changed',
  'model-price-created': 'Model price added',
  'model-price-changed': 'Model price changed',
  'model-price-deleted': 'Model price deleted',
  'view-created': 'View saved',
  'view-changed': 'View changed',
  'view-deleted': 'View deleted',
  'plan-changed': 'Plan changed',
  'payment-captured': 'Payment received',
  'payment-refunded': 'Payment refunded',
  'alert-created': 'Alert added',
  'alert-changed': 'Alert changed',
  'alert-deleted': 'Alert deleted',
  'webhook-created': 'Webhook added',
  'webhook-deleted': 'Webhook deleted',
} satisfies Record<AuditAction, string>
