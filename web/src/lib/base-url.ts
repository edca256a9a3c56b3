import { product } from '#schemas/product.ts'

/** What goes into an SDK's `baseURL`. Source: decisions.md, "The product". */
export const clientBaseUrl = () => `${window.location.origin}${product.proxyPath}/v1`
