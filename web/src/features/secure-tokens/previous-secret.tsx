import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { previousSecret, previousSecretTag } from '#schemas/tags.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { endPreviousSecretMutation } from './secure-tokens-mutations.ts'

type PreviousSecretProps = { token: SecureToken; secret: NonNullable<SecureToken['previousSecret']> }

/** Shown on the card of a rotated token until the grace time ends. */
export function PreviousSecret({ token, secret }: PreviousSecretProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending } = useMutation(endPreviousSecretMutation)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
      <p className="min-w-0 flex-1 basis-56 text-xs leading-5 text-muted">
        Previous secret <code className="font-mono text-fg">{secret.token}</code>: valid until{' '}
        <DateTime value={secret.expiresAt} precision="minute" />,{' '}
        {secret.lastUsed === null ? (
          <span>not used since the rotation.</span>
        ) : (
          <>
            <span className="text-warn">
              last used <DateTime value={secret.lastUsed} precision="minute" />.
            </span>{' '}
            <Link
              to="/request-logs"
              search={{ token: token.id, tag: [`${previousSecretTag}:${previousSecret}`] }}
              className="text-accent underline underline-offset-2"
            >
              Its requests
            </Link>
          </>
        )}
      </p>
      <Button size="sm" onClick={() => setIsAsking(true)} aria-label={`End Now: previous secret of ${token.name}`}>
        End Now
      </Button>
      <AlertDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="End the previous secret?"
        description="Clients that still use it are rejected from now on. This can’t be undone."
        actionText="End Secret"
        pendingText={isPending && 'Ending...'}
        onConfirm={() => mutate(token.id, { onSuccess: () => setIsAsking(false) })}
      />
    </div>
  )
}
