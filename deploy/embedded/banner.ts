import { product } from '#schemas/product.ts'

/** What a person wants to know once everything runs. */
export function banner({ url, gatewayUrl }: { url: string; gatewayUrl: string }): string {
  return `
  ${product.name} is running: ${url}

  1. Create an account         ${url}/auth
  2. Add your provider key     API Keys
  3. Create a secure token     Secure Tokens, and point your SDK at it:
       base URL                ${gatewayUrl}${product.proxyPath}/v1
       API key                 ${product.tokenPrefix}…

  Ctrl-C stops everything.
`
}
