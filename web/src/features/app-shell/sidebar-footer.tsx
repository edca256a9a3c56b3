import { LogOut, Moon, Sun } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { User } from '#schemas/account.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import { plans } from '#schemas/plans.ts'
import { displayName } from '#web/lib/session/person.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Name } from '#web/ui/name.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { useTheme } from '#web/lib/theme.ts'
import { version } from '../../../../package.json'
import { useLogOut } from './use-log-out.ts'

export function SidebarFooter({ user, onNavigate }: { user: User; onNavigate: (() => void) | undefined }) {
  const { logOut, isLeaving } = useLogOut()
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
        pendingText={isLeaving && 'Signing out...'}
        onClick={logOut}
      >
        <LogOut />
        Sign out
      </Button>
      <p className="mt-1 px-3 text-xs text-muted">Version {version}</p>
    </div>
  )
}

type PlanBadgeProps = { plan: PlanName; onNavigate: (() => void) | undefined }

/** Says `Pro Plan` to everyone, as specified; tooltip and description name the real plan. */
function PlanBadge({ plan, onNavigate }: PlanBadgeProps) {
  const descriptionId = useId()
  const description = `You are on the ${plans[plan].label}. Open Billing.`
  return (
    <Tooltip text={description}>
      <Link
        to="/profile"
        search={{ tab: 'billing' }}
        onClick={onNavigate}
        aria-describedby={descriptionId}
        className="relative inline-flex rounded-full before:absolute before:-inset-3 md:before:-inset-0.5"
      >
        <Badge tone="accent">Pro Plan</Badge>
        <span id={descriptionId} hidden>
          {description}
        </span>
      </Link>
    </Tooltip>
  )
}

function ThemeToggle() {
  const { theme, toggle } = useTheme()
  const label = theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme'
  return <IconButton label={label} icon={theme === 'dark' ? <Sun /> : <Moon />} onClick={toggle} />
}
