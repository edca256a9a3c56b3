import { describe, expect, it } from 'vitest'
import { displayName, initials } from './person.ts'

const person = (firstName: string | null, lastName: string | null, email = '') => ({ firstName, lastName, email })

describe('displayName', () => {
  it('is first and last name when both exist', () => {
    expect(displayName(person('Ada', 'Lovelace', 'ada@example.com'))).toBe('Ada Lovelace')
  })
  it('is the email when one of the names is missing', () => {
    expect(displayName(person('Ada', null, 'ada@example.com'))).toBe('ada@example.com')
  })
  it('is User without both', () => expect(displayName(person(null, null))).toBe('User'))
})

describe('initials', () => {
  it('takes the first letters of both names, in capitals', () => {
    expect(initials(person('ada', 'lovelace', 'x@example.com'))).toBe('AL')
  })
  it('takes two letters of the email when a name is missing', () => {
    expect(initials(person('Ada', '', 'ada@example.com'))).toBe('AD')
  })
  it('is U without anything', () => expect(initials(person(null, null))).toBe('U'))
  it('keeps letters outside the basic plane whole', () => expect(initials(person('𐐨x', 'y'))).toBe('𐐀Y'))
})
