/** Everything a fork has to rename. Source: decisions.md, "The product". */
export const product = {
  name: 'Sallyport',
  tagline: 'API Gateway',
  /** Path under which clients reach the provider; what follows it goes to the provider's base URL. */
  proxyPath: '/api/proxy',
  tokenPrefix: 'st_',
} as const

export const provider = {
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com',
} as const
