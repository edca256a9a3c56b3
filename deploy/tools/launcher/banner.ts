import { product } from '#schemas/product.ts'
import type { RegistrationMode } from '#schemas/registration.ts'

export interface BannerOptions {
  url: string
  gatewayUrl: string
  registration: RegistrationMode
}

/** What a person wants to know once everything runs. */
export function banner({ url, gatewayUrl, registration }: BannerOptions): string {
  const account = {
    open: `${url}/auth`,
    invite: `${url}/auth, with a code of: npm run accounts -- invite`,
    closed: 'nobody can, because REGISTRATION is closed',
  }[registration]
  return `
  ${product.name} is running: ${url}

  1. Create an account         ${account}
  2. Add your provider key     API Keys
  3. Create a secure token     Secure Tokens, and point your SDK at it:
       base URL                ${gatewayUrl}${product.proxyPath}/v1
       API key                 ${product.tokenPrefix}…

  Ctrl-C stops everything.
`
}
