import { afterEach, expect, test, vi } from 'vitest'
import type { NewView } from '#schemas/views.ts'
import { ApiError } from './api.ts'
import { browserViewsKey, moveBrowserViews } from './browser-views.ts'

const key = browserViewsKey('ann')
const views = ['Rejected', 'Slow', 'Last'].map((name) => ({ name, search: { status: 'error' } }))
const moved = views.map((view) => ({ screen: 'request-logs', ...view }))

function storageWith(value: unknown): Map<string, string> {
  const stored = new Map([[key, JSON.stringify(value)]])
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  })
  return stored
}
afterEach(() => vi.unstubAllGlobals())

/** Records what is added, and fails for some names. */
function createServer(errors: Record<string, Error> = {}) {
  const added: NewView[] = []
  const add = async (view: NewView) => {
    const error = errors[view.name]
    if (error) throw error
    added.push(view)
  }
  return { add, added }
}

test('views of this browser are moved once, and only those of the account', async () => {
  const stored = storageWith(views)
  stored.set(browserViewsKey('bob'), '[]')
  const { add, added } = createServer()
  await moveBrowserViews('ann', add)
  await moveBrowserViews('ann', add)
  expect(added).toEqual(moved)
  expect([...stored.keys()]).toEqual([browserViewsKey('bob')])
})

test.each([400, 409])('a view that the server rejects with %i is dropped', async (status) => {
  const stored = storageWith(views)
  const { add, added } = createServer({ Slow: new ApiError(status, 'no') })
  await moveBrowserViews('ann', add)
  expect(added).toEqual([moved[0], moved[2]])
  expect(stored.size).toBe(0)
})

test.each([new TypeError('Failed to fetch'), new ApiError(403, 'limit'), new ApiError(503, 'away')])(
  'after %s the views that are left are moved the next time',
  async (error) => {
    const stored = storageWith(views)
    await moveBrowserViews('ann', createServer({ Slow: error }).add)
    expect(JSON.parse(stored.get(key) ?? '')).toEqual(views.slice(1))
    const { add, added } = createServer()
    await moveBrowserViews('ann', add)
    expect(added).toEqual(moved.slice(1))
  },
)

test('what is no view is dropped', async () => {
  const stored = storageWith([null, { name: '' }, { name: 'x', search: { a: [[]] } }, views[0]])
  const { add, added } = createServer()
  await moveBrowserViews('ann', add)
  expect(added).toEqual([moved[0]])
  expect(stored.size).toBe(0)
})
