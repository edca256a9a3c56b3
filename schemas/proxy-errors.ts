const error = (status: number, type: string, message: string) => ({ status, type, message })

/**
 * Errors that the proxy sends in the provider's place and in its shape; those of the control plane are in `problems.ts`.
 * Source: product.md 5.10.
 */
export const proxyErrors = {
  missing_token: error(
    401,
    'invalid_request_error',
    'No secure token was sent. Put it into the header "Authorization: Bearer st_…".',
  ),
  invalid_token: error(
    401,
    'invalid_request_error',
    'The secure token is not valid: mistyped, deleted, switched off or expired. Check it under Secure Tokens.',
  ),
  other_account: error(
    409,
    'invalid_request_error',
    'Another account has signed in here meanwhile. Reload the page to go on.',
  ),
  ambiguous_credentials: error(
    400,
    'invalid_request_error',
    'More than one Authorization header was sent. Send exactly one.',
  ),
  unknown_host: error(
    421,
    'invalid_request_error',
    'This server is not known by this name. Send a secure token, or have its operator add it to ALLOWED_HOSTS.',
  ),
  invalid_path: error(
    400,
    'invalid_request_error',
    'The path has segments that could be read in two ways. Send it without dots, backslashes and encoded slashes.',
  ),
  ambiguous_model: error(
    400,
    'invalid_request_error',
    'The request names its model more than once. Send "model" once, in the body or in the query.',
  ),
  method_not_allowed: error(
    405,
    'invalid_request_error',
    'The gateway does not take this method. Use GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE.',
  ),
  no_active_key: error(400, 'invalid_request_error', 'no active API key found. Add a provider key under API Keys.'),
  address_not_allowed: error(
    403,
    'invalid_request_error',
    'This secure token may not be used from this address. Its owner can change that under Secure Tokens.',
  ),
  model_not_allowed: error(
    403,
    'invalid_request_error',
    'This secure token may not be used for this model. Its owner can change that under Secure Tokens.',
  ),
  rate_limited: error(
    429,
    'requests',
    'too many requests in this minute. Wait as long as Retry-After says, or raise the limit under Proxy Config.',
  ),
  quota_exceeded: error(
    429,
    'insufficient_quota',
    'The requests of the plan are used up. They start anew when Retry-After is over, or at once with a larger plan.',
  ),
  budget_exceeded: error(
    429,
    'insufficient_quota',
    'The monthly budget of this secure token is used up. Its owner can change it under Secure Tokens.',
  ),
  too_much_at_once: error(
    429,
    'requests',
    'Too much of this account is under way at once: requests, or bytes of their bodies. Wait for some of it to end.',
  ),
  overloaded: error(503, 'server_error', 'The gateway has too much under way at once. Try again in a moment.'),
  body_timeout: error(
    408,
    'invalid_request_error',
    'The request body did not go on for too long. Send it again, without pauses.',
  ),
  loop_detected: error(
    508,
    'invalid_request_error',
    'The base URL leads back to this gateway. Its owner has to set that of a provider under Proxy Config.',
  ),
  body_too_large: error(
    413,
    'invalid_request_error',
    'The request body is larger than this gateway takes. Send less at once; its operator can raise the limit.',
  ),
  upgrade_not_supported: error(
    501,
    'invalid_request_error',
    'Only WebSocket connections to /v1/realtime can be upgraded. Send this request without an Upgrade header.',
  ),
  internal_error: error(500, 'server_error', 'The gateway failed. Try again.'),
  upstream_unreachable: error(
    502,
    'server_error',
    'The provider could not be reached. Check the base URL under Proxy Config, then try again.',
  ),
  upstream_invalid: error(
    502,
    'server_error',
    'The provider sent something that is not HTTP. Check the base URL under Proxy Config, then try again.',
  ),
  upstream_encoding: error(
    502,
    'server_error',
    'The provider sent a content encoding that the gateway can not read. It takes gzip, br, zstd and deflate.',
  ),
  upstream_forbidden: error(
    502,
    'server_error',
    'The base URL points to an address that this gateway may not reach. Its operator can allow it.',
  ),
  upstream_timeout: error(
    504,
    'server_error',
    'The provider did not answer within the timeout. Try again, or raise the timeout under Proxy Config.',
  ),
  unavailable: error(503, 'server_error', 'The gateway can not take this request right now. Try again in a moment.'),
}

export type ProxyErrorCode = keyof typeof proxyErrors

/** Errors of HTTP itself: both planes send them before they look at what is asked. A code and a message by status. */
export const httpErrors = {
  400: ['malformed_request', 'The request is not well-formed HTTP. Send it with a common HTTP client, unchanged.'],
  405: ['method_not_allowed', 'This method is not taken here. Use one that the API names.'],
  408: ['request_timeout', 'The request took too long to arrive. Send it again, faster or in smaller parts.'],
  414: ['uri_too_long', 'The address is too long. Put what is in it into the body.'],
  417: ['expectation_failed', 'Only "100-continue" can be expected. Send the request without the Expect header.'],
  431: ['headers_too_large', 'The headers are too large or too many. Send at most 200 of them, and 16 KiB.'],
} as const
