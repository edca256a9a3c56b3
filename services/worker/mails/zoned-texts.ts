/** Replaces an unknown timezone with UTC. */
export function zoned(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  }
}

/** For example `Nov 20, 2026, 8:00 AM GMT+1`. */
export const momentOf = (iso: string, timeZone: string): string =>
  zoned(
    { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
    timeZone,
  ).format(new Date(iso))
