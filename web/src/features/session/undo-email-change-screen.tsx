import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Button } from '#web/ui/button.tsx'
import { undoEmailChangeMutation } from './mailed-link-mutations.ts'
import { SessionLayout } from './session-layout.tsx'

/** The target of the link mailed to an old address. */
export function UndoEmailChangeScreen({ secret }: { secret: string }) {
  const { done } = useSearch({ from: '/undo-email-change' })
  const { mutate, isPending } = useMutation(undoEmailChangeMutation)
  return done ? (
    <SessionLayout
      title="Undo the email change"
      heading="The email address is as it was"
      description="Every session of the account was ended, and its password no longer works: somebody else may know it. Set a new one with the link that was just mailed to you."
    >
      <Button asChild>
        <Link to="/auth">Sign in</Link>
      </Button>
    </SessionLayout>
  ) : (
    <SessionLayout
      title="Undo the email change"
      heading="Undo the email change?"
      description="The account gets its earlier email address back, every session of it ends, and a link to set a new password is mailed to you. Do this if you did not change the address yourself."
    >
      <Button variant="primary" pendingText={isPending && 'Undoing...'} onClick={() => mutate({ token: secret })}>
        Undo the change
      </Button>
    </SessionLayout>
  )
}
