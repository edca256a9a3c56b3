import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { type NewView, View } from '#schemas/views.ts'
import { ApiError, fetchJson, send } from '../api.ts'
import { moveBrowserViews } from '../browser-views.ts'
import { jsonQuery } from './json-query.ts'
import { tabAccountId } from '../session/tab-account.ts'

const path = '/api/views'

const addView = (view: NewView) => send('POST', path, { body: view })

export const viewsQuery = queryOptions({
  queryKey: [path],
  queryFn: async ({ signal }) => {
    const accountId = tabAccountId()
    if (accountId) await moveBrowserViews(accountId, addView)
    return fetchJson(z.array(View), 'GET', path, { signal })
  },
})

/** Each screen's URL parameter that names a view. In Analytics, `view` is Estimated or Measured. */
const viewParameters = { 'request-logs': 'view', analytics: 'saved' } as const satisfies Record<View['screen'], string>

export const viewLink = ({ screen, id }: View) => `${location.origin}/${screen}?${viewParameters[screen]}=${id}`

/** The search parameters of a linked view; `null` when the account has no such view of the screen. */
export async function readViewSearch(client: QueryClient, screen: View['screen'], id: string) {
  try {
    const view = await client.fetchQuery({
      ...jsonQuery(View, `${path}/${id}`, [path, id]),
      staleTime: 0,
    })
    if (view.screen !== screen) return null
    return { ...view.search, [viewParameters[screen]]: undefined }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export const saveViewMutation = mutationOptions({
  /** @param id of the view that is replaced */
  mutationFn: ({ id, view }: { id: string | undefined; view: NewView }) =>
    id === undefined ? addView(view) : send('PUT', `${path}/${id}`, { body: view }),
  meta: { refreshes: [path], failure: 'Failed to save the view' },
})

export const deleteViewMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${path}/${id}`),
  meta: { refreshes: [path], failure: 'Failed to delete the view' },
})
