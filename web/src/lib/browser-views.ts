import { z } from 'zod'
import { NewView } from '#schemas/views.ts'
import { ApiError } from './api.ts'
import { forgetOne, readStored, writeStored } from './browser/stored.ts'

const BrowserView = NewView.omit({ screen: true })

/** Where earlier versions kept an account's views of the request logs. */
export const browserViewsKey = (accountId: string) => `sallyport.logs.views.${accountId}`

/**
 * Moves views from this browser to the account. A view that the server rejects is dropped: its name was taken, or it
 * can't be read. After any other error, the views that are left are moved the next time.
 */
export async function moveBrowserViews(accountId: string, add: (view: NewView) => Promise<unknown>): Promise<void> {
  const key = browserViewsKey(accountId)
  const stored = readStored(key, z.array(z.unknown()), [])
  for (const [at, candidate] of stored.entries()) {
    const view = BrowserView.safeParse(candidate)
    if (!view.success) continue
    try {
      await add({ screen: 'request-logs', ...view.data })
    } catch (error) {
      if (!(error instanceof ApiError && [400, 409].includes(error.status))) {
        return writeStored(key, stored.slice(at))
      }
    }
  }
  forgetOne(key)
}
