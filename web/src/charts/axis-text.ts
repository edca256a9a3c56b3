const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 })

export const axisMs = (ms: number) => (ms < 1_000 ? `${short.format(ms)} ms` : `${short.format(ms / 1_000)} s`)

export const axisUsd = (nano: number) => `$${short.format(nano / 1e9)}`

/** Labels whole numbers only. */
export const axisCount = (count: number) => (Number.isInteger(count) ? short.format(count) : '')
