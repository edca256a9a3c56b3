import { Client, Environment } from '@paypal/paypal-server-sdk'
import { second } from '#core/units.ts'

const sdkAddress = 'https://api-m.paypal.com'

export interface PayPalCredentials {
  clientId: string
  clientSecret: string
  /** PayPal's, its sandbox's or a stand-in's. */
  apiUrl: string
}

/** PayPal's own client, which knows only two addresses, made to speak to the configured one. */
export class PayPalClient extends Client {
  readonly #apiUrl: string

  constructor({ clientId, clientSecret, apiUrl }: PayPalCredentials) {
    super({
      environment: Environment.Production,
      clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: clientSecret },
      // The client's own retries are off: it would repeat every error response, a declined card too.
      httpClientOptions: { timeout: 10 * second },
    })
    this.#apiUrl = apiUrl.replace(/\/+$/, '')
  }

  override getRequestBuilderFactory(): ReturnType<Client['getRequestBuilderFactory']> {
    const create = super.getRequestBuilderFactory()
    return (...args) => {
      const builder = create(...args)
      builder.interceptRequest((request) => ({ ...request, url: request.url.replace(sdkAddress, this.#apiUrl) }))
      return builder
    }
  }
}
