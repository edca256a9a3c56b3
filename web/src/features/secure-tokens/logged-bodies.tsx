import { useMutation } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Menu, MenuHeading, MenuItem } from '#web/ui/menu.tsx'
import { useFocusHeir } from '#web/ui/use-focus-heir.ts'
import { logBodiesMutation } from './secure-tokens-mutations.ts'

/** Logs the bodies of a token's requests for a limited time. Source: product.md 7.3. */
export function LogBodiesMenu({ token }: { token: SecureToken }) {
  const { mutate, isPending } = useMutation(logBodiesMutation)
  return (
    <Menu
      label={`Log bodies of ${token.name}`}
      className="w-56"
      trigger={<IconButton label={`Log bodies of ${token.name}`} icon={<FileText />} unavailable={isPending} />}
    >
      <MenuHeading>Log request and response bodies</MenuHeading>
      <MenuItem onSelect={() => mutate({ id: token.id, for: 'hour' })}>For an hour</MenuItem>
      <MenuItem onSelect={() => mutate({ id: token.id, for: 'day' })}>For a day</MenuItem>
    </Menu>
  )
}

/** Shown on a token's card while bodies of its requests are logged. */
export function LoggedBodies({ token, until }: { token: SecureToken; until: string }) {
  const { mutate, isPending } = useMutation(logBodiesMutation)
  const box = useFocusHeir<HTMLDivElement>('li')
  return (
    <div ref={box} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
      <p className="min-w-0 flex-1 basis-56 text-xs leading-5 text-warn">
        Request and response bodies are logged until <DateTime value={until} precision="minute" />.
      </p>
      <Button
        size="sm"
        pendingText={isPending && 'Ending...'}
        onClick={() => mutate({ id: token.id, for: 'off' })}
        aria-label={`End Now: logged bodies of ${token.name}`}
      >
        End Now
      </Button>
    </div>
  )
}
