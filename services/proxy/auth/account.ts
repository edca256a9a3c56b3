import type { BlockList } from 'node:net'
import type { PriceList } from '#schemas/model-prices.ts'
import type { Credential } from '#store/postgres/credentials/credentials.ts'

export interface ProviderKey {
  id: string
  secret: string
}

/** The account of a credential, with the decrypted keys of its base URL's origin. */
export interface Account extends Omit<Credential, 'keys' | 'allowedAddresses' | 'baseUrl' | 'modelPrices'> {
  keys: ProviderKey[]
  /** Where the token may be used from; `null`: anywhere. */
  addresses: BlockList | null
  origin: string
  /** Replaces `/v1` at the provider. */
  basePath: string
  prices: PriceList
}

/** Whether the bodies of a request that arrives now are logged: cached accounts, too, end a token's time exactly. */
export const logsBodies = ({ logBodies, logBodiesUntil }: Account): boolean =>
  logBodies || (logBodiesUntil !== null && logBodiesUntil.getTime() > Date.now())
