import { afterEach, expect, test, vi } from 'vitest'
import type { NewView } from '#schemas/views.ts'
import { ApiError } from './api.ts'
import { browserViewsKey, moveBrowserViews } from './browser-views.ts'

const views = ['Rejected', 'Slow', 'Last'].map((name) => ({ name, search: { status: 'error' } }))
const moved = views.map((view) => ({ screen: 'request-logs', ...view }))

afterEach(() => vi.unstubAllGlobals())

/** Moves what this browser kept; the view `Slow` fails with the error. @returns the added views, and those still kept */
async function move(kept: unknown, error?: Error) {
  const stored = new Map(['ann', 'bob'].map((id) => [browserViewsKey(id), JSON.stringify(kept)]))
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  })
  const added: NewView[] = []
  await moveBrowserViews('ann', async (view) => {
    if (error && view.name === 'Slow') throw error
    added.push(view)
  })
  expect(stored.get(browserViewsKey('bob'))).toBe(JSON.stringify(kept))
  return [added, JSON.parse(stored.get(browserViewsKey('ann')) ?? 'null')]
}

test('views of this browser are moved', async () => expect(await move(views)).toEqual([moved, null]))

test.each([400, 409])('a view that the server rejects with %i is dropped', async (status) =>
  expect(await move(views, new ApiError(status, 'no'))).toEqual([[moved[0], moved[2]], null]),
)

test.each([new TypeError('Failed to fetch'), new ApiError(403, 'limit'), new ApiError(503, 'away')])(
  'after %s the views that are left are moved the next time',
  async (error) => expect(await move(views, error)).toEqual([[moved[0]], views.slice(1)]),
)

test('what is no view is dropped', async () =>
  expect(await move([null, { name: '' }, { name: 'x', search: { a: [[]] } }, views[0]])).toEqual([[moved[0]], null]))
