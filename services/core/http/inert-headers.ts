/**
 * Headers of every response on the proxy path, name, value, name, value …: a browser that opens what a provider sends
 * must never treat it as a page of this origin.
 */
export const inertHeaders = [
  'content-security-policy',
  "sandbox; default-src 'none'",
  'x-content-type-options',
  'nosniff',
] as const
