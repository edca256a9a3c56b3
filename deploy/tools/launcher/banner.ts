import { product } from '#schemas/product.ts'
import type { RegistrationMode } from '#schemas/registration.ts'

/** The text that `npm start` prints once everything runs. */
export function banner({
  url,
  gatewayUrl,
  registration,
}: {
  url: string
  gatewayUrl: string
  registration: RegistrationMode
}): string {
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
