const prefix = 'sallyport:'

/** The key under which this browser stores a value of one account. */
export const accountKey = (accountId: string, name: string) => `${prefix}${accountId}:${name}`

/** Removes the values of all accounts, so that a sign-out leaves nothing on a shared machine. */
export function forgetStored() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Storage can be switched off; then nothing was stored.
  }
}
