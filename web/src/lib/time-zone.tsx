import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { ChangePreferences } from '#schemas/preferences.ts'
import { preferencesQuery } from './queries/preferences.ts'

const TimeZone = createContext('UTC')

/** IANA name of the zone that all screens show times in. Source: product.md 2.10. */
export const useTimeZone = () => useContext(TimeZone)

/** The zone of the preferences; UTC until they are loaded, or if the browser does not know the zone. */
export function TimeZoneProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery(preferencesQuery)
  const zone = ChangePreferences.shape.timezone.safeParse(data?.timezone).data ?? 'UTC'
  return <TimeZone value={zone}>{children}</TimeZone>
}
