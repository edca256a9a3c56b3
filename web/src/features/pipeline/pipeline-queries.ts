import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { DeadLetter, DeadLetterDetails, Pipeline } from '#schemas/pipeline.ts'
import { send } from '#web/lib/api.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'

const path = '/api/pipeline'
const lettersPath = `${path}/dead-letters`
const pollMs = 2_000

export const pipelineQuery = queryOptions({
  ...jsonQuery(Pipeline, path),
  refetchInterval: pollMs,
})

export const deadLettersQuery = queryOptions({
  ...jsonQuery(z.array(DeadLetter), lettersPath),
  refetchInterval: pollMs * 5,
})

export const deadLetterQuery = (id: string) =>
  jsonQuery(DeadLetterDetails, `${lettersPath}/${encodeURIComponent(id)}`, [`${lettersPath}/{id}`, id])

const refreshes = [path, lettersPath]

export const requeueMutation = mutationOptions({
  mutationFn: (id: string) => send('POST', `${lettersPath}/${encodeURIComponent(id)}/replay`),
  meta: {
    refreshes,
    success: { title: 'Sent again', description: 'The events are on their way to the store once more.' },
    failure: 'Replay failed',
  },
})

export const dropMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${lettersPath}/${encodeURIComponent(id)}`),
  meta: { refreshes, success: 'Dropped', failure: 'Drop failed' },
})
