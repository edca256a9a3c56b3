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
  /** Client addresses that may use the token; `null`: any. */
  addresses: BlockList | null
  origin: string
  /** Replaces `/v1` in paths sent to the provider. */
  basePath: string
  prices: PriceList
}

/** Whether to log the bodies of a request that arrives now. Checked each time, so that cached accounts stop on time. */
export const logsBodies = ({ logBodies, logBodiesUntil }: Account): boolean =>
  logBodies || (logBodiesUntil !== null && logBodiesUntil.getTime() > Date.now())
