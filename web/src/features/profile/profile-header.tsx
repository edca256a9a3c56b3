import { useMutation } from '@tanstack/react-query'
import { Camera } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import type { User } from '#schemas/account.ts'
import { plans } from '#schemas/plans.ts'
import { product } from '#schemas/product.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { fullName } from '#web/lib/session/person.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { changePhotoMutation } from './profile-mutations.ts'

export function ProfileHeader({ user }: { user: User }) {
  const { username, email, isEmailConfirmed, subscriptionStatus } = user
  return (
    <header className="flex flex-wrap items-center gap-x-5 gap-y-4">
      <title>{`Profile · ${product.name}`}</title>
      <Avatar user={user} size="lg" />
      <div className="min-w-0 flex-1 basis-52">
        <h1 className="text-xl font-semibold tracking-tight break-words">{visibleLine(fullName(user) ?? username)}</h1>
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

/** Source: product.md 2.15. */
const types = ['image/png', 'image/jpeg', 'image/webp']
const largestBytes = 2 * 1024 * 1024

function ChangePhoto({ user }: { user: User }) {
  const { mutate, isPending } = useMutation(changePhotoMutation)
  const input = useRef<HTMLInputElement>(null)
  const changeRef = useRef<HTMLButtonElement>(null)
  // The pressed button disappears with the photo.
  const remove = () => mutate(null, { onSuccess: () => changeRef.current?.focus() })

  function choose(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? []
    // Allows the same file to be chosen again.
    event.target.value = ''
    if (!file) return
    if (!types.includes(file.type) || file.size > largestBytes) {
      toast({
        title: 'Update failed',
        description: 'Choose a PNG, JPEG or WebP picture of at most 2 MB.',
        destructive: true,
      })
    } else mutate(file)
  }

  return (
    <div className="flex gap-2">
      <input
        ref={input}
        type="file"
        accept={types.join(',')}
        onChange={choose}
        aria-label="Photo"
        tabIndex={-1}
        className="sr-only"
      />
      <Button ref={changeRef} pendingText={isPending && 'Saving...'} onClick={() => input.current?.click()}>
        <Camera />
        Change Photo
      </Button>
      {user.profileImageUrl && (
        <Button variant="ghost" unavailable={isPending} onClick={remove}>
          Remove
        </Button>
      )}
    </div>
  )
}
