import { Avatar as Radix } from 'radix-ui'
import type { User } from '#schemas/account.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { initials } from '#web/lib/session/person.ts'
import { linkOfAccount } from '#web/lib/session/tab-account.ts'

const sizes = { md: 'size-9 text-xs', lg: 'size-16 text-xl' }

/** The picture, else the initials. Decorative: the name is beside it. */
export const Avatar = ({ user, size = 'md' }: { user: User; size?: keyof typeof sizes }) => (
  <Radix.Root
    aria-hidden="true"
    className={classNames(
      'grid shrink-0 place-items-center overflow-hidden rounded-full bg-accent-soft font-semibold text-accent',
      sizes[size],
    )}
  >
    {user.profileImageUrl && (
      <Radix.Image src={linkOfAccount(user.profileImageUrl)} alt="" className="size-full object-cover" />
    )}
    <Radix.Fallback>{initials(user)}</Radix.Fallback>
  </Radix.Root>
)
