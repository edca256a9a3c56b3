import { CodeExamplesTabs } from '#web/lib/code-examples/code-examples-tabs.tsx'
import { OneTimeSecret } from '#web/ui/one-time-secret.tsx'
import { FirstRequest } from './first-request.tsx'

export const newTokenTitles = {
  title: 'Your new secure token',
  description: 'Copy it now and keep it in a safe place.',
}

/** Shows a new token in full, once, explains how to use it, and waits for its first request. */
export const NewToken = ({ id, token, onDone }: { id: string; token: string; onDone: () => void }) => (
  <OneTimeSecret secret={token} kind="token" onDone={onDone}>
    <section aria-labelledby="first-request" className="flex min-w-0 flex-col gap-3">
      <h3 id="first-request" className="font-medium">
        Send your first request
      </h3>
      <CodeExamplesTabs token={token} />
      <FirstRequest tokenId={id} />
    </section>
  </OneTimeSecret>
)
