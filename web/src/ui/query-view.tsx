import type { ReactNode } from 'react'
import { isUnauthorized } from '#web/lib/text/error-text.ts'
import { ErrorState } from './error-state.tsx'

type QueryViewProps<Data> = {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** In the shape of the content, so that nothing moves when it arrives. */
  skeleton: ReactNode
  errorTitle: string
  children: (data: Data) => ReactNode
}

/** A query that is loading, failed or has data. An expired session shows as loading: the browser is about to leave. */
export function QueryView<Data>({ query, skeleton, errorTitle, children }: QueryViewProps<Data>) {
  const { data, error } = query
  if (isUnauthorized(error) || (data === undefined && !error)) {
    return (
      <div aria-busy="true">
        <output className="sr-only">Loading...</output>
        {skeleton}
      </div>
    )
  }
  if (data === undefined) return <ErrorState title={errorTitle} error={error} onRetry={() => void query.refetch()} />
  return children(data)
}
