import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId } from 'react'
import { z } from 'zod'
import { refresh, refreshError, refreshShown } from '#web/lib/refresh.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { useStored } from '#web/lib/browser/use-stored.ts'
import { Switch } from './switch.tsx'

/** Source: product.md 9.8. */
const intervalMs = 10_000

type AutoRefreshProps = {
  /** Names the setting, which this browser remembers for each account. */
  screen: 'analytics' | 'logs'
  /** First parts of the query keys to refetch. */
  keys: readonly string[]
}

/** A switch, off by default, that refetches the shown data while the page is visible. */
export function AutoRefresh({ screen, keys }: AutoRefreshProps) {
  const id = useId()
  const client = useQueryClient()
  const { data: user } = useQuery(currentUserQuery)
  const [isOn, setOn] = useStored(`sallyport.${screen}.auto-refresh.${user?.id}`, z.boolean(), false)
  const refreshVisible = useEffectEvent(() => {
    const isFetching = keys.some((key) => client.isFetching({ queryKey: [key] }) > 0)
    if (document.visibilityState !== 'visible' || isFetching) return
    // A failure that lasts is told of once.
    void (refreshError(client, keys) ? refresh : refreshShown)(client, keys)
  })
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => refreshVisible(), intervalMs)
    return () => clearInterval(timer)
  }, [isOn])
  return (
    <div className="flex items-center gap-2">
      <Switch id={id} checked={isOn} onCheckedChange={setOn} />
      <label htmlFor={id}>
        Auto<span className="max-sm:sr-only">-refresh</span>
      </label>
    </div>
  )
}
