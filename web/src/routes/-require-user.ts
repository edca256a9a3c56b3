import { notFound } from '@tanstack/react-router'
import type { User } from '#schemas/account.ts'
import { rememberPlace } from '#web/lib/session/sign-in-place.ts'

type Guarded = { context: { user: User | null }; location: { href: string }; preload: boolean }

/** Guards a signed-in screen: without a user it is not found; a sign-in leads back to it. Source: product.md 9.3. */
export function requireUser({ context, location, preload }: Guarded) {
  if (context.user) return
  if (!preload) rememberPlace(location.href, null)
  throw notFound()
}
