import type { User } from '#schemas/account.ts'

type NamedUser = Pick<User, 'firstName' | 'lastName' | 'email'>

const fullName = ({ firstName, lastName }: NamedUser) => (firstName && lastName ? `${firstName} ${lastName}` : null)

/** Source: product.md 2.2. */
export const displayName = (user: NamedUser) => fullName(user) ?? (user.email || 'User')

/** Two letters for an avatar without a picture. Source: product.md 2.2. */
export function initials({ firstName, lastName, email }: NamedUser): string {
  if (firstName && lastName) return (firstLetter(firstName) + firstLetter(lastName)).toUpperCase()
  return email ? [...email].slice(0, 2).join('').toUpperCase() : 'U'
}

// By code point, so that a letter outside the basic plane isn't cut in half.
const firstLetter = (text: string) => [...text][0] ?? ''
