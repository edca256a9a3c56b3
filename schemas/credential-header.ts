import { z } from 'zod'

/** Headers that carry a credential, to the gateway and to the provider: `Bearer` in the first, the bare value in others. */
export const CredentialHeader = z.enum(['authorization', 'api-key', 'x-api-key'])
export type CredentialHeader = z.infer<typeof CredentialHeader>

export const credentialValue = (header: CredentialHeader, secret: string): string =>
  header === 'authorization' ? `Bearer ${secret}` : secret
