import type { User } from '#schemas/account.ts'
import { plans } from '#schemas/plans.ts'
import { product } from '#schemas/product.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { ChangePhoto } from './change-photo.tsx'

export function ProfileHeader({ user }: { user: User }) {
  const { firstName, lastName, username, email, isEmailConfirmed, subscriptionStatus } = user
  const name = firstName && lastName ? `${firstName} ${lastName}` : username
  return (
    <header className="flex flex-wrap items-center gap-x-5 gap-y-4">
      <title>{`Profile · ${product.name}`}</title>
      <Avatar user={user} size="lg" />
      <div className="min-w-0 flex-1 basis-52">
        <h1 className="text-xl font-semibold tracking-tight break-words">{visibleLine(name)}</h1>
        <p className="text-muted break-all">
          {email}
          {isEmailConfirmed && <span className="whitespace-nowrap"> · confirmed</span>}
        </p>
        <Badge tone="accent" className="mt-1.5">
          {plans[subscriptionStatus].label}
        </Badge>
      </div>
      <ChangePhoto user={user} />
    </header>
  )
}
