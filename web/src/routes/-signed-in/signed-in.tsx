import type { ReactNode } from 'react'
import type { User } from '#schemas/account.ts'
import { AppShell } from '#web/features/app-shell/app-shell.tsx'
import { browserSession } from '#web/lib/session/tab-account.ts'
import { isPaletteOpen, usePalette } from '#web/lib/palette.ts'
import { discardQuestion, passwordQuestion } from '#web/lib/question.ts'
import { TimeZoneProvider } from '#web/lib/time-zone.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { NavigationGuard } from './navigation-guard.tsx'
import { useCommands } from './use-commands.ts'

const CommandPalette = lazyDialog(
  async () => (await import('#web/features/command-palette/command-palette.tsx')).CommandPalette,
)
const OtherAccountDialog = lazyDialog(async () => (await import('./other-account-dialog.tsx')).OtherAccountDialog)
const ConfirmPasswordDialog = lazyDialog(
  async () => (await import('#web/features/confirm-password/confirm-password-dialog.tsx')).ConfirmPasswordDialog,
)
const DiscardDialog = lazyDialog(async () => (await import('./discard-dialog.tsx')).DiscardDialog)

/** The layout of every screen of a signed-in user, and the dialogs that any of them may open. */
export function SignedIn({ user, children }: { user: User; children: ReactNode }) {
  const isOpen = usePalette()
  return (
    <TimeZoneProvider>
      <AppShell user={user}>
        {children}
        <NavigationGuard />
        <OtherAccountDialog
          user={user}
          open={browserSession.use() === 'other'}
          onClose={() => browserSession.write('dismissed')}
        />
        <CommandPalette groups={useCommands(user)} open={isOpen} onClose={() => isPaletteOpen.write(false)} />
        <ConfirmPasswordDialog open={passwordQuestion.useIsOpen()} onClose={() => passwordQuestion.answer(false)} />
        <DiscardDialog open={discardQuestion.useIsOpen()} onClose={() => discardQuestion.answer(false)} />
      </AppShell>
    </TimeZoneProvider>
  )
}
