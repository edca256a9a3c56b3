/** Everything a fork has to rename. Source: decisions.md, "The product". */
export const product = {
  name: 'Sallyport',
  tagline: 'API Gateway',
  /** Path under which clients reach the provider; what follows it goes to the provider's base URL. */
  proxyPath: '/api/proxy',
  tokenPrefix: 'st_',
  /** The header by which the request tester shows that a script of our own calls: no link and no form can send it. */
  testerHeader: 'x-sallyport-tester',
} as const

export const provider = {
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com',
} as const
