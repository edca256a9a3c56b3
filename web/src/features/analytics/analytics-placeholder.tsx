import { isUnauthorized } from '#web/lib/text/error-text.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { LoadingAnalytics } from './loading-analytics.tsx'

type AnalyticsPlaceholderProps = { query: { error: unknown; refetch: () => unknown }; errorTitle: string }

/** Shown until there are numbers. An expired session shows as loading: the browser is about to leave. */
export const AnalyticsPlaceholder = ({ query: { error, refetch }, errorTitle }: AnalyticsPlaceholderProps) =>
  !error || isUnauthorized(error) ? (
    <LoadingAnalytics />
  ) : (
    <Panel>
      <ErrorState title={errorTitle} error={error} onRetry={() => void refetch()} />
    </Panel>
  )
