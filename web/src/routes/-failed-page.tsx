import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isFailedScript } from '#web/lib/failed-script.ts'
import { probe, reachability } from '#web/lib/reachability.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Minimum age of a document before it reloads, ms, so that a script that is really gone causes no rapid reloads. */
const reloadsFromMs = 5_000

const reload = () => window.location.reload()

/** Replaces a page that threw. If its script failed to load, it reloads as soon as the gateway responds. */
export function FailedPage({ error }: ErrorComponentProps) {
  const isReachable = reachability.use()
  useEffect(() => {
    if (!isReachable || !isFailedScript(error)) return
    const timer = setTimeout(
      async () => {
        if (await probe()) reload()
      },
      Math.max(0, reloadsFromMs - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [error, isReachable])
  return <ErrorState title="This page failed" error={error} onRetry={reload} />
}
