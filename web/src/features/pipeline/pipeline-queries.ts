import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { DeadLetter, DeadLetterDetails, Pipeline } from '#schemas/pipeline.ts'
import { fetchJson, send } from '#web/lib/api.ts'

const path = '/api/pipeline'
const lettersPath = `${path}/dead-letters`
const pollMs = 2_000

export const pipelineQuery = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => fetchJson(Pipeline, 'GET', path, { signal }),
  refetchInterval: pollMs,
})

export const deadLettersQuery = queryOptions({
  queryKey: [lettersPath],
  queryFn: ({ signal }) => fetchJson(z.array(DeadLetter), 'GET', lettersPath, { signal }),
  refetchInterval: pollMs * 5,
})

export const deadLetterQuery = (id: string) =>
  queryOptions({
    queryKey: [`${lettersPath}/{id}`, id],
    queryFn: ({ signal }) =>
      fetchJson(DeadLetterDetails, 'GET', `${lettersPath}/${encodeURIComponent(id)}`, { signal }),
  })

const refreshes = [path, lettersPath]

export const requeueMutation = mutationOptions({
  mutationFn: (id: string) => send('POST', `${lettersPath}/${encodeURIComponent(id)}/replay`),
  meta: {
    refreshes,
    success: { title: 'Sent again', description: 'The events are on their way to the store once more.' },
    failure: { title: 'Replay failed' },
  },
})

export const dropMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${lettersPath}/${encodeURIComponent(id)}`),
  meta: { refreshes, success: { title: 'Dropped' }, failure: { title: 'Drop failed' } },
})
