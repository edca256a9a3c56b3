import { Avatar as Radix } from 'radix-ui'
import type { User } from '#schemas/account.ts'
import { initials } from '#web/lib/person.ts'

/** The picture, else the initials. Decoration: the name stands beside it. */
export const Avatar = ({ user }: { user: User }) => (
  <Radix.Root
    aria-hidden="true"
    className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-full bg-accent-soft text-xs font-semibold text-accent"
  >
    {user.profileImageUrl && <Radix.Image src={user.profileImageUrl} alt="" className="size-full object-cover" />}
    <Radix.Fallback>{initials(user)}</Radix.Fallback>
  </Radix.Root>
)
