import { useMutation } from '@tanstack/react-query'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { confirmEmailMutation } from './mailed-link-mutations.ts'
import { SessionLayout, SessionLink } from './session-layout.tsx'

/** Asks before it confirms, because mail scanners open links, too. */
export function ConfirmEmailScreen({ secret }: { secret: string }) {
  const { mutate, isPending, isSuccess } = useMutation(confirmEmailMutation)
  return (
    <SessionLayout
      title="Confirm your email address"
      heading="Confirm your email address"
      description="Then mails of your account go to it, and you can reset your password by one."
    >
      {isSuccess ? (
        <div className="flex flex-col items-start gap-4">
          <Notice>The address is confirmed.</Notice>
          <SessionLink to="/">Continue</SessionLink>
        </div>
      ) : (
        <Button variant="primary" pendingText={isPending && 'Confirming...'} onClick={() => mutate({ secret })}>
          Confirm Address
        </Button>
      )}
    </SessionLayout>
  )
}
