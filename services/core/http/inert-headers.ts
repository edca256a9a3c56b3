/**
 * On everything that the proxy path answers, name, value, name, value …: what a provider sends, or an error that
 * repeats it, must never act as a page of this origin when a browser opens it.
 */
export const inertHeaders = [
  'content-security-policy',
  "sandbox; default-src 'none'",
  'x-content-type-options',
  'nosniff',
] as const
