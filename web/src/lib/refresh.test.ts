import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refresh, refreshError, refreshShown } from './refresh.ts'
import { toastStore } from './toast.ts'

/** A query on a screen; its reads are resolved by hand, in the order in which they were made. */
function watch() {
  const reads: PromiseWithResolvers<string>[] = []
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  const queryFn = () => {
    const read = Promise.withResolvers<string>()
    reads.push(read)
    return read.promise
  }
  const options = { queryKey: ['/api/stats', 'today'], queryFn }
  const first = client.fetchQuery(options)
  new QueryObserver(client, options).subscribe(() => undefined)
  return { client, reads, first, shown: () => client.getQueryData(options.queryKey) }
}

test('reads again what is on a screen', async () => {
  const { client, reads, first, shown } = watch()
  reads[0]!.resolve('old')
  await first
  const refreshed = refresh(client, ['/api/stats'])
  reads[1]!.resolve('new')
  await refreshed
  expect(shown()).toBe('new')
})

test('starts a first load over, as its response may be older than the change', async () => {
  const { client, reads, first, shown } = watch()
  const refreshed = refresh(client, ['/api/stats'])
  expect(reads).toHaveLength(2)
  reads[0]!.resolve('old')
  reads[1]!.resolve('new')
  await refreshed
  expect(shown()).toBe('new')
  expect(await first).toBe('new')
})

test('leaves other queries alone, also during their first load', async () => {
  const { client, reads, first } = watch()
  void refresh(client, ['/api/logs'])
  reads[0]!.resolve('old')
  expect(await first).toBe('old')
  void refresh(client, ['/api/logs'])
  expect(reads).toHaveLength(1)
})

test('says that what is on a screen was not refreshed', async () => {
  const { client, reads, first, shown } = watch()
  reads[0]!.resolve('old')
  await first
  const refreshed = refreshShown(client, ['/api/stats'])
  reads[1]!.reject(new Error('The store is away.'))
  await refreshed
  expect(shown()).toBe('old')
  expect(toastStore.read()).toMatchObject({ title: 'Not refreshed', description: 'The store is away.' })
  void refresh(client, ['/api/stats'])
  expect(refreshError(client, ['/api/stats'])?.message).toBe('The store is away.')
  expect(refreshError(client, ['/api/logs'])).toBeUndefined()
})
