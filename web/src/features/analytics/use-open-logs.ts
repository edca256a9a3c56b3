import { useNavigate } from '@tanstack/react-router'
import type { TimeRange } from '#web/lib/time-ranges.ts'

export type LogFilter = {
  from?: string
  to?: string
  range?: TimeRange
  model?: string
  endpoint?: string
  token?: string
  key?: string
  statusCode?: number
  minTime?: number
  maxTime?: number
}

export function useOpenLogs() {
  const navigate = useNavigate()
  return (search: LogFilter) => void navigate({ to: '/request-logs', search })
}
