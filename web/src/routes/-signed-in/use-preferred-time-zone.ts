import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { preferencesQuery } from '#web/lib/queries/preferences.ts'
import { setTimeZone } from '#web/lib/text/time-zone.ts'

/** Times on all screens use the zone of the preferences; until they are known, UTC. Source: decisions.md, "Screens". */
export function usePreferredTimeZone() {
  const { data } = useQuery(preferencesQuery)
  useEffect(() => {
    if (data) setTimeZone(data.timezone)
  }, [data])
}
