import { product } from './product.ts'

const error = (status: number, type: string, message: string) => ({ status, type, message })
const invalidRequest = (status: number, message: string) => error(status, 'invalid_request_error', message)
const serverError = (status: number, message: string) => error(status, 'server_error', message)

/**
 * Errors of the proxy itself, in the provider's format; those of the control plane are in `problems.ts`. `{timeout}` is
 * replaced by the account's timeout. Source: product.md 5.10.
 */
export const proxyErrors = {
  missing_token: invalidRequest(401, 'No secure token was sent. Put it into the header "Authorization: Bearer st_…".'),
  invalid_token: invalidRequest(
    401,
    'The secure token is not valid: mistyped, deleted, switched off or expired. Check it under Secure Tokens.',
  ),
  other_account: invalidRequest(
    409,
    'Another account has signed in here in the meantime. Reload the page to continue.',
  ),
  ambiguous_credentials: invalidRequest(
    400,
    'More than one credential was sent. Send one token, in Authorization, api-key or x-api-key.',
  ),
  unknown_host: invalidRequest(
    421,
    'This server is not configured for this host name. Send a secure token, or have the name added to ALLOWED_HOSTS.',
  ),
  invalid_path: invalidRequest(
    400,
    'The path has segments that could be read in two ways. Send it without dots, backslashes and double slashes.',
  ),
  /** Sent by the control plane. */
  unknown_path: invalidRequest(
    404,
    `There is nothing at this path. The base URL of an SDK ends in ${product.proxyPath}/v1.`,
  ),
  ambiguous_model: invalidRequest(
    400,
    'The request names its model more than once. Send "model" once, in the body or in the query.',
  ),
  method_not_allowed: invalidRequest(
    405,
    'The gateway does not take this method. Use GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE.',
  ),
  no_active_key: invalidRequest(400, 'no active API key found. Add a provider key under API Keys.'),
  address_not_allowed: invalidRequest(
    403,
    'This secure token may not be used from this address. Its owner can change that under Secure Tokens.',
  ),
  model_not_allowed: invalidRequest(
    403,
    'This secure token may not be used for this model. Its owner can change that under Secure Tokens.',
  ),
  direct_session_not_allowed: invalidRequest(
    403,
    'This secure token is restricted, so it may not open a session that bypasses the gateway. Use a WebSocket, or a token without restrictions.',
  ),
  rate_limited: error(
    429,
    'requests',
    'too many requests in this minute. Wait as long as Retry-After says, or raise the limit under Proxy Config.',
  ),
  quota_exceeded: error(
    429,
    'insufficient_quota',
    'The requests of the plan are used up. They renew after the time in Retry-After, or at once with a larger plan.',
  ),
  token_rate_limited: error(
    429,
    'requests',
    'Too many requests of this secure token in this minute. Wait as long as Retry-After says.',
  ),
  token_tokens_limited: error(
    429,
    'tokens',
    'Too many tokens of this secure token in this minute. Wait as long as Retry-After says, or ask for less.',
  ),
  token_concurrency_limited: error(
    429,
    'requests',
    'Too many requests of this secure token at once. Wait for one of them to end.',
  ),
  budget_exceeded: error(
    429,
    'insufficient_quota',
    'The budget of this secure token is used up. Its owner can change it under Secure Tokens.',
  ),
  budget_reserved: error(
    429,
    'requests',
    'The budget of this secure token is not used up, but requests in progress may need the rest. Try again soon.',
  ),
  model_not_priced: invalidRequest(
    403,
    'This secure token has a budget, and the cost of this request is not known in advance: its model has no known price, or could not be read. The owner can set a price under Proxy Config, Model Prices.',
  ),
  too_much_at_once: error(
    429,
    'requests',
    'This account has too many requests, or bytes of request bodies, in progress. Wait until some of them have ended.',
  ),
  overloaded: serverError(503, 'The gateway has too much in progress. Try again in a moment.'),
  body_timeout: invalidRequest(408, 'The request body paused for too long. Send it again, without pauses.'),
  loop_detected: invalidRequest(
    508,
    "The base URL leads back to this gateway. Set a provider's base URL under Proxy Config.",
  ),
  body_too_large: invalidRequest(
    413,
    'The request body is larger than this gateway takes. Send less at once; its operator can raise the limit.',
  ),
  upgrade_not_supported: invalidRequest(
    501,
    'Only WebSocket connections to paths under /v1 can be upgraded. Send this request without an Upgrade header.',
  ),
  internal_error: serverError(500, 'The gateway failed. Try again.'),
  upstream_unreachable: serverError(
    502,
    'The provider could not be reached. Check the base URL under Proxy Config, then try again.',
  ),
  upstream_disconnected: serverError(
    502,
    'The provider ended the connection before its response was complete. It may have processed the request: find out before sending it again.',
  ),
  upstream_invalid: serverError(
    502,
    'The provider sent something that is not valid HTTP. Check that the base URL under Proxy Config is that of an API.',
  ),
  upstream_encoding: serverError(
    502,
    'The provider sent a content encoding that the gateway cannot read. It can read gzip, br, zstd and deflate.',
  ),
  upstream_forbidden: serverError(
    502,
    'The base URL points to an address that this gateway may not reach. Its operator can allow it.',
  ),
  upstream_timeout: serverError(
    504,
    'The provider sent nothing for {timeout} ms, the timeout under Proxy Config. It may still be at work on the request: raise the timeout, or stream the response.',
  ),
  unavailable: serverError(503, 'The gateway cannot take this request right now. Try again in a moment.'),
}

export type ProxyErrorCode = keyof typeof proxyErrors

/** Code and message of HTTP errors, by status. Both planes send them before a request is routed. */
export const httpErrors = {
  400: [
    'malformed_request',
    'The request is not well-formed HTTP. Send it with a common HTTP client, to a path that begins with one slash; this gateway is not an HTTP_PROXY.',
  ],
  405: ['method_not_allowed', 'This endpoint does not support this method. Use one that the API lists.'],
  408: ['request_timeout', 'The request took too long to arrive. Send it again, faster or in smaller parts.'],
  414: ['uri_too_long', 'The URL is too long. Send its content in the body instead.'],
  417: ['expectation_failed', 'Only "100-continue" is supported in Expect. Send the request without that header.'],
  431: ['headers_too_large', 'The headers are too large or too many. Send at most 200 headers and 64 KiB.'],
} as const
