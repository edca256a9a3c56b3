import { useMutation } from '@tanstack/react-query'
import { Camera } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import type { User } from '#schemas/account.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { changePhotoMutation } from './profile-mutations.ts'

/** Source: product.md 2.15. */
const types = ['image/png', 'image/jpeg', 'image/webp']
const largestBytes = 2 * 1024 * 1024

export function ChangePhoto({ user }: { user: User }) {
  const { mutate, isPending } = useMutation(changePhotoMutation)
  const input = useRef<HTMLInputElement>(null)

  function choose(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? []
    // The same file can be chosen again.
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
      <Button pendingText={isPending && 'Saving...'} onClick={() => input.current?.click()}>
        <Camera />
        Change Photo
      </Button>
      {user.profileImageUrl && (
        <Button variant="ghost" disabled={isPending} onClick={() => mutate(null)}>
          Remove
        </Button>
      )}
    </div>
  )
}
