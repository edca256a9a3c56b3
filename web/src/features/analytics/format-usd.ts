const usd = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
  maximumFractionDigits: 4,
})

/** USD with 4 decimals. Source: product.md 11.3. */
export const formatUsd = (value: number) => usd.format(value)
