import { mutationOptions } from '@tanstack/react-query'
import { saveFile } from '#web/lib/save-file.ts'
import type { RequestLog } from '#schemas/request-logs.ts'
import { requestLogQuery } from '../request-logs-queries.ts'

export const downloadLog = (log: RequestLog) =>
  saveFile(`request-${log.id}.json`, 'application/json', `${JSON.stringify(log, null, 2)}\n`)

export const downloadMutation = mutationOptions({
  mutationFn: async (id: string, { client }) => {
    const log = await client.fetchQuery(requestLogQuery(id))
    if ('pending' in log) throw new Error('This log is still on its way. Try again in a moment.')
    downloadLog(log)
  },
  meta: { failure: 'Download failed' },
})
