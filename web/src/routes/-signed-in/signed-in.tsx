import { lazy, type ReactNode, Suspense } from 'react'
import type { User } from '#schemas/account.ts'
import { usePalette } from '#web/features/command-palette/use-palette.ts'
import { AppShell } from '#web/features/app-shell/app-shell.tsx'
import { browserSession } from '#web/lib/session/tab-account.ts'
import { discardQuestion, passwordQuestion } from '#web/lib/question.ts'
import { TimeZoneProvider } from '#web/lib/time-zone.tsx'
import { useEver } from '#web/lib/use-ever.ts'
import { BackClosesLayers } from './back-closes-layers.tsx'
import { useCommands } from './use-commands.ts'

const CommandPalette = lazy(async () => ({
  default: (await import('#web/features/command-palette/command-palette.tsx')).CommandPalette,
}))
const OtherAccountDialog = lazy(async () => ({
  default: (await import('./other-account-dialog.tsx')).OtherAccountDialog,
}))

const ConfirmPasswordDialog = lazy(async () => ({
  default: (await import('#web/features/confirm-password/confirm-password-dialog.tsx')).ConfirmPasswordDialog,
}))

const DiscardDialog = lazy(async () => ({ default: (await import('./discard-dialog.tsx')).DiscardDialog }))

/** The layout of every screen of a signed-in user, and the dialogs that any of them may open. */
export function SignedIn({ user, children }: { user: User; children: ReactNode }) {
  const { open, setOpen, wasOpened } = usePalette()
  const needsPassword = passwordQuestion.useIsOpen()
  const everNeededPassword = useEver(needsPassword)
  const asksToDiscard = discardQuestion.useIsOpen()
  const everAskedToDiscard = useEver(asksToDiscard)
  const groups = useCommands(user)
  const isOtherAccount = browserSession.use() === 'other'
  return (
    <TimeZoneProvider>
      <AppShell user={user} onOpenPalette={() => setOpen(true)}>
        {children}
        <BackClosesLayers />
        {isOtherAccount && (
          <Suspense>
            <OtherAccountDialog user={user} />
          </Suspense>
        )}
        {wasOpened && (
          <Suspense>
            <CommandPalette groups={groups} open={open} onClose={() => setOpen(false)} />
          </Suspense>
        )}
        {everNeededPassword && (
          <Suspense>
            <ConfirmPasswordDialog open={needsPassword} />
          </Suspense>
        )}
        {everAskedToDiscard && (
          <Suspense>
            <DiscardDialog open={asksToDiscard} />
          </Suspense>
        )}
      </AppShell>
    </TimeZoneProvider>
  )
}
