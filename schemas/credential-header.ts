import { z } from 'zod'

/** Headers that carry a credential to the gateway and to the provider, as `Bearer` in the first, bare in the others. */
export const CredentialHeader = z.enum(['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'])
export type CredentialHeader = z.infer<typeof CredentialHeader>

export const credentialValue = (header: CredentialHeader, secret: string): string =>
  header === 'authorization' ? `Bearer ${secret}` : secret
