import { product } from '#schemas/product.ts'

/** The value for an SDK's `baseURL`. Source: product.md 5.1. */
export const clientBaseUrl = () => `${window.location.origin}${product.proxyPath}/v1`
