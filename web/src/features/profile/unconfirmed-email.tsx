import { useMutation, useQuery } from '@tanstack/react-query'
import type { User } from '#schemas/account.ts'
import { registrationQuery } from '#web/lib/queries/registration.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { requestConfirmationMutation } from './profile-mutations.ts'

/** Says that the address waits for its confirmation. Where no mails are sent, there is nothing to wait for. */
export function UnconfirmedEmail({ user }: { user: User }) {
  const { data: registration } = useQuery(registrationQuery)
  const { mutate, isPending } = useMutation(requestConfirmationMutation)
  if (user.isEmailConfirmed || !registration?.sendsMail) return null
  return (
    <Notice tone="warn" title="Your email address is not confirmed">
      <p>
        Open the link in the mail that was sent to {user.email}. Until then no other mails go there: no security alerts,
        no reports, no new password.
      </p>
      <Button size="sm" className="mt-3" pendingText={isPending && 'Sending...'} onClick={() => mutate()}>
        Send Again
      </Button>
    </Notice>
  )
}
