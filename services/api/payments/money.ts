/** Formats cents: `2900` is `29.00`. */
export const priceOf = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** @returns undefined unless it is a plain amount with at most two decimals */
export function parseCents(amount: string | undefined): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(amount ?? '') ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
