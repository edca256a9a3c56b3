import { notFound } from '@tanstack/react-router'
import type { User } from '#schemas/account.ts'

/** Guards a signed-in screen: without a user its path is not found. Source: product.md 9.3, 1.4. */
export function requireUser({ context }: { context: { user: User | null } }) {
  if (!context.user) throw notFound()
}
