/** Everything a fork has to rename. Source: product.md 1.2. */
export const product = {
  name: 'Sallyport',
  tagline: 'API Gateway',
  /** Prefix under which clients reach the provider; the rest of the path is appended to the provider's base URL. */
  proxyPath: '/api/proxy',
  tokenPrefix: 'st_',
  /** Marks calls of the request tester: no link and no form can send a header. */
  testerHeader: 'x-sallyport-tester',
} as const

export const provider = {
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com',
} as const
