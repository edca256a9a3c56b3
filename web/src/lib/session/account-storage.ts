import { tryStorage } from '../browser/stored.ts'

const prefix = 'sallyport:'

/** The key under which this browser stores a value of one account. */
export const accountKey = (accountId: string, name: string) => `${prefix}${accountId}:${name}`

/** Removes the values of all accounts, so that a sign-out leaves nothing on a shared machine. */
export const forgetStored = () =>
  tryStorage(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  })
