/**
 * Headers of every response on the proxy path, as name, value, name, value …: a browser must never treat a provider's
 * content as a page of this origin.
 */
export const inertHeaders = [
  'content-security-policy',
  "sandbox; default-src 'none'",
  'x-content-type-options',
  'nosniff',
] as const
