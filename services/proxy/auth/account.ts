import type { BlockList } from 'node:net'
import type { Credential } from '#store/postgres/credentials.ts'

/** A provider key ready to be sent. */
export interface ProviderKey {
  id: string
  secret: string
}

/** The account of a credential, its keys unsealed: those that were entered for the base URL's origin. */
export interface Account extends Omit<Credential, 'keys' | 'allowedAddresses' | 'baseUrl'> {
  keys: ProviderKey[]
  /** Where the token may be used from; `null`: everywhere. */
  addresses: BlockList | null
  /** The base URL, taken apart: scheme with host, and path without `/v1`. */
  origin: string
  basePath: string
}
