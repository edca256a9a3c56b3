/** A timezone that this system does not know is written as UTC. */
function zoned(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  }
}

/** Such as `Nov 20, 2026, 8:00 AM GMT+1`. */
export const momentOf = (iso: string, timeZone: string): string =>
  zoned(
    { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
    timeZone,
  ).format(new Date(iso))

/** Such as `Nov 20, 2026`. */
export const dateOf = (iso: string, timeZone: string): string =>
  zoned({ dateStyle: 'medium' }, timeZone).format(new Date(iso))

/** Such as `Monday, November 16`. */
export const dayOf = (iso: string, timeZone: string): string =>
  zoned({ weekday: 'long', month: 'long', day: 'numeric' }, timeZone).format(new Date(iso))

export const whole = (count: number): string => count.toLocaleString('en-US')

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** US dollars with four decimals, as on the analytics screen. */
export const usd = (nano: number): string => `$${(nano / 1e9).toFixed(4)}`
