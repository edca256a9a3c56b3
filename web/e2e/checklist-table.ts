import type { Page } from 'playwright-core'
import type { Account, Visitor } from './accounts.ts'
import { see } from './assertions.ts'

/** What a row works with. `account`: of the visitor, if there is one. */
export type Visit = { page: Page; url: string; account: Account | null }

type Start = { as: Visitor; path: string }
type Options = Partial<Start> & {
  /** Runs before the page is opened. */
  before?: (visit: Visit) => Promise<unknown>
}

/** State, expected text or behaviour, paragraph of the specification, and how to find out. */
type Entry = readonly [
  state: string,
  expected: string,
  paragraph: string,
  check: string[] | ((visit: Visit) => Promise<unknown>),
  options?: Options,
]

export type Row = Start & {
  screen: string
  state: string
  expected: string
  paragraph: string
  before: (visit: Visit) => Promise<unknown>
  check: (visit: Visit) => Promise<unknown>
}

/** The rows of one screen. A check that is a list of texts waits for each of them. */
export const checklist = (screen: string, start: Start, entries: readonly Entry[]): Row[] =>
  entries.map(([state, expected, paragraph, check, options = {}]) => ({
    screen,
    state,
    expected,
    paragraph,
    ...start,
    before: async () => {},
    ...options,
    check: typeof check === 'function' ? check : ({ page }) => see(page, ...check),
  }))
