import { useNavigate } from '@tanstack/react-router'
import type { MeasuredRange } from './analytics-search.ts'

type TextFilter = 'model' | 'endpoint' | 'token' | 'key'
type NumberFilter = 'statusCode' | 'minTime' | 'maxTime'
type LogFilter = MeasuredRange & Partial<Record<TextFilter, string> & Record<NumberFilter, number>>

/** Opens the request logs with a filter. */
export function useOpenLogs() {
  const navigate = useNavigate()
  return (search: LogFilter) => void navigate({ to: '/request-logs', search })
}
