const style = { style: 'currency', currency: 'USD', maximumFractionDigits: 6 } as const
const amount = new Intl.NumberFormat('en', style)
const usd = new Intl.NumberFormat('en', { ...style, minimumFractionDigits: 4 })
const exactUsd = new Intl.NumberFormat('en', { ...style, minimumFractionDigits: 6 })

/** A cost in screens and mails. */
export const formatNanoUsd = (nano: number) => formatCost(usd, nano)

/** An amount in USD that people set, or a part of it, with cents. */
export const formatAmount = (value: number) => formatCost(amount, Math.round(value * 1e9))

/** With the same number of decimals in every row of a column. */
export const formatNanoUsdColumn = (nano: number) => formatCost(exactUsd, nano)

/** A cost that would be rounded to nothing must not look like none. */
const formatCost = (format: Intl.NumberFormat, nano: number) =>
  nano > 0 && nano < 500 ? '<$0.000001' : format.format(nano / 1e9)
