import { useMutation, mutationOptions } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { product } from '#schemas/product.ts'
import type { UndoEmailChange } from '#schemas/account.ts'
import { Button } from '#web/ui/button.tsx'
import { send } from '#web/lib/api.ts'
import { loadDocument } from '#web/lib/session/leave-document.ts'

/** The target of the link mailed to an old address. Its secret is in the fragment, which no server sees. */
export function UndoEmailChangeScreen() {
  const { done } = useSearch({ from: '/undo-email-change' })
  const { user } = useRouter().options.context
  // The app shell has its own `main`.
  const Root = user ? 'div' : 'main'
  return (
    <Root className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-2 px-4">
      <title>{`Undo the email change · ${product.name}`}</title>
      {done ? <Done /> : <Question token={window.location.hash.slice(1)} />}
    </Root>
  )
}

function Question({ token }: { token: string }) {
  const { mutate, isPending } = useMutation(undoMutation)
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Undo the email change?</h1>
      <p className="text-muted">
        The account gets its earlier email address back, and every session of it ends. Do this if you did not change the
        address yourself.
      </p>
      <Button
        variant="primary"
        className="mt-4"
        pendingText={isPending && 'Undoing...'}
        onClick={() => mutate({ token })}
      >
        Undo the change
      </Button>
    </>
  )
}

const Done = () => (
  <>
    <h1 className="text-xl font-semibold tracking-tight">The email address is as it was</h1>
    <p className="text-muted">
      Every session of the account was ended. Sign in now and change your password: somebody else may know it.
    </p>
    <Button asChild className="mt-4">
      <Link to="/auth">Sign in</Link>
    </Button>
  </>
)

const undoMutation = mutationOptions({
  mutationFn: async (body: UndoEmailChange) => {
    await send('POST', '/api/email-change/undo', { body })
    // A new document, so that nothing is left of a session that has just ended.
    await loadDocument('/undo-email-change?done=true')
  },
  meta: { failure: 'Not undone' },
})
