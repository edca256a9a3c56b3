/** All names that a fork must change. Source: product.md 1.2. */
export const product = {
  name: 'Sallyport',
  tagline: 'API Gateway',
  /** Path prefix of proxied requests; the rest of the path is appended to the provider's base URL. */
  proxyPath: '/api/proxy',
  tokenPrefix: 'st_',
  managementKeyPrefix: 'sm_',
  /** Marks requests of the request tester. Links and forms of other sites can't send a custom header. */
  testerHeader: 'x-sallyport-tester',
} as const

export const provider = {
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com',
} as const
