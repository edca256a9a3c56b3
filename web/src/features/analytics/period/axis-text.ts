const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 })

/** Durations on an axis: ms below a second, seconds above. */
export const axisMs = (ms: number) => (ms < 1_000 ? `${short.format(ms)} ms` : `${short.format(ms / 1_000)} s`)

export const axisUsd = (nano: number) => `$${short.format(nano / 1e9)}`

/** Whole numbers on an axis; nothing between them. */
export const axisCount = (count: number) => (Number.isInteger(count) ? short.format(count) : '')
