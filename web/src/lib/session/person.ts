import type { User } from '#schemas/account.ts'

type NamedUser = Pick<User, 'firstName' | 'lastName' | 'email'>

export const fullName = ({ firstName, lastName }: NamedUser) =>
  firstName && lastName ? `${firstName} ${lastName}` : null

/** Source: product.md 2.2. */
export const displayName = (user: NamedUser) => fullName(user) ?? (user.email || 'User')

/** Two letters for an avatar without a picture. Source: product.md 2.2. */
export function initials({ firstName, lastName, email }: NamedUser): string {
  if (firstName && lastName) return (firstLetters(firstName, 1) + firstLetters(lastName, 1)).toUpperCase()
  return email ? firstLetters(email, 2).toUpperCase() : 'U'
}

const segmenter = new Intl.Segmenter('en')

/** Letters as people see them, of any number of code points. */
const firstLetters = (text: string, count: number) =>
  Array.from(segmenter.segment(text), ({ segment }) => segment)
    .slice(0, count)
    .join('')
