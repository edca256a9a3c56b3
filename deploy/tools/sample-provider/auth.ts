import { ProviderError } from './errors.ts'

const missingMessage =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys."

const maskKey = (key: string): string =>
  key.length > 12
    ? `${key.slice(0, 8)}${'*'.repeat(Math.min(key.length - 12, 64))}${key.slice(-4)}`
    : `${key.slice(0, 3)}${'*'.repeat(Math.max(key.length - 3, 0))}`

export const readKey = (authorization: string | undefined): string | null =>
  /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null

/** Throws 401 unless the key, without the controls after its first dot, is one of `apiKeys`, or a plausible one when none are given. */
export const createKeyCheck = (apiKeys: readonly string[] | undefined) => {
  const accepted = apiKeys && new Set(apiKeys)
  const accepts = (key: string): boolean =>
    accepted
      ? accepted.has(key) || accepted.has(key.split('.', 1)[0] ?? '')
      : key.startsWith('sk-') && !key.startsWith('sk-bad')

  return (key: string | null): void => {
    if (key === null) throw new ProviderError(401, missingMessage)
    if (accepts(key)) return
    throw new ProviderError(
      401,
      `Incorrect API key provided: ${maskKey(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      { code: 'invalid_api_key' },
    )
  }
}
