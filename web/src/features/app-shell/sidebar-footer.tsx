import { useMutation } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import type { User } from '#schemas/account.ts'
import { displayName } from '#web/lib/session/person.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Name } from '#web/ui/name.tsx'
import { logoutMutation } from './logout-mutation.ts'
import { PlanBadge } from './plan-badge.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

export function SidebarFooter({ user, onNavigate }: { user: User; onNavigate: (() => void) | undefined }) {
  const { mutate: logOut, isPending, isSuccess } = useMutation(logoutMutation)
  const name = displayName(user)
  return (
    <div className="shrink-0 border-t border-line p-2 pt-3">
      <div className="flex items-center gap-3 px-3">
        <Avatar user={user} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">
            <Name text={name} />
          </p>
          <PlanBadge plan={user.subscriptionStatus} onNavigate={onNavigate} />
        </div>
        <ThemeToggle />
      </div>
      <Button
        variant="ghost"
        size="sm"
        className="mt-2 w-full justify-start"
        pendingText={(isPending || isSuccess) && 'Signing out...'}
        onClick={() => logOut()}
      >
        <LogOut />
        Sign out
      </Button>
    </div>
  )
}
