const prefix = 'sallyport:'

/** Where this browser keeps something of one account. */
export const accountKey = (accountId: string, name: string) => `${prefix}${accountId}:${name}`

/** Signing out leaves nothing of any account behind on a shared machine. */
export function forgetStored() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Storage can be switched off; then nothing was kept.
  }
}
