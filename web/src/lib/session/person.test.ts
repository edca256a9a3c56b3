import { expect, it } from 'vitest'
import { displayName, initials } from './person.ts'

it.each([
  { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', name: 'Ada Lovelace', letters: 'AL' },
  { firstName: 'ada', lastName: 'lovelace', email: '', name: 'ada lovelace', letters: 'AL' },
  { firstName: 'Ada', lastName: null, email: 'ada@example.com', name: 'ada@example.com', letters: 'AD' },
  { firstName: 'Ada', lastName: '', email: 'ada@example.com', name: 'ada@example.com', letters: 'AD' },
  { firstName: null, lastName: null, email: '', name: 'User', letters: 'U' },
  // Letters of several code points stay whole.
  { firstName: '𐐨x', lastName: 'y', email: '', name: '𐐨x y', letters: '𐐀Y' },
  { firstName: '👩‍💻 Ada', lastName: 'é́x', email: '', name: '👩‍💻 Ada é́x', letters: '👩‍💻É́' },
])('shows $firstName $lastName, $email as $name, $letters', ({ name, letters, ...user }) => {
  expect(displayName(user)).toBe(name)
  expect(initials(user)).toBe(letters)
})
