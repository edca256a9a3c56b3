import type { SecureToken } from '#schemas/secure-tokens.ts'

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

/** What a token may only do, one line each; nothing when it may do everything. */
export function restrictionFacts({ models, monthlyBudgetUsd, allowedAddresses }: SecureToken) {
  return [
    models && { label: 'Models', value: models.join(', ') },
    monthlyBudgetUsd !== null && { label: 'Monthly budget', value: usd.format(monthlyBudgetUsd) },
    allowedAddresses && { label: 'Allowed addresses', value: allowedAddresses.join(', ') },
  ].filter((fact) => fact !== null && fact !== false)
}
