import { z } from 'zod'

/**
 * Every error of the control plane by its stable code; those of the proxy are in `proxy-errors.ts`. A more exact text may
 * take the place of `detail` where the error is raised; status and title never change.
 */
export const problems = {
  'invalid-request': { status: 400, title: 'Invalid request', detail: 'The request does not have the expected form.' },
  'missing-fields': { status: 400, title: 'Missing fields', detail: 'Please fill in all required fields.' },
  unauthorized: { status: 401, title: 'Unauthorized', detail: 'Sign in to continue.' },
  'invalid-credentials': { status: 401, title: 'Invalid credentials', detail: 'Wrong username or password.' },
  'payment-declined': {
    status: 402,
    title: 'Payment declined',
    detail: 'The payment was declined. Choose another way to pay and try again.',
  },
  'webhook-not-verified': {
    status: 403,
    title: 'Webhook not verified',
    detail: 'The message does not carry a valid signature.',
  },
  'two-factor-required': {
    status: 401,
    title: 'Code needed',
    detail: 'Enter the code of your authenticator app, or a recovery code.',
  },
  'two-factor-invalid': {
    status: 401,
    title: 'Wrong code',
    detail: 'That code is wrong, has expired or was used before.',
  },
  'wrong-password': { status: 403, title: 'Wrong password', detail: 'Current password is wrong' },
  confirm_password: {
    status: 403,
    title: 'Confirm your password',
    detail: 'Confirm your password to continue: this session did not do so in the last 15 minutes.',
  },
  'account-disabled': {
    status: 403,
    title: 'Account disabled',
    detail: 'This account is disabled. Contact the operator of this server.',
  },
  'registration-closed': {
    status: 403,
    title: 'Registration closed',
    detail: 'No new accounts can be created on this server.',
  },
  'invite-invalid': {
    status: 403,
    title: 'Invite needed',
    detail: 'A valid invite code is needed to create an account on this server.',
  },
  'cross-site': { status: 403, title: 'Forbidden', detail: 'This call is only answered to pages of the same site.' },
  'token-limit-reached': {
    status: 403,
    title: 'Token limit reached',
    detail: 'Your plan allows no more secure tokens. Delete one or change the plan.',
  },
  'key-limit-reached': {
    status: 403,
    title: 'Key limit reached',
    detail: 'An account can have 100 API keys. Delete one that is no longer needed.',
  },
  'not-found': { status: 404, title: 'Not found', detail: 'There is nothing at this address.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not answer to that method.',
  },
  other_account: {
    status: 409,
    title: 'Another account',
    detail: 'Another account has signed in here meanwhile. Reload the page to go on.',
  },
  'unknown-host': {
    status: 421,
    title: 'Unknown host',
    detail: 'This server is not known by this name. Its operator can add it to ALLOWED_HOSTS.',
  },
  'username-taken': { status: 409, title: 'Username taken', detail: 'Another account has this username.' },
  'email-taken': { status: 409, title: 'Email taken', detail: 'Another account has this email address.' },
  conflict: {
    status: 409,
    title: 'Changed at the same moment',
    detail: 'Something else changed this at the same moment. Try again.',
  },
  'already-subscribed': {
    status: 409,
    title: 'Already subscribed',
    detail: 'Your plan already includes this one, so there is nothing to pay.',
  },
  'payment-not-approved': {
    status: 409,
    title: 'Payment not approved',
    detail: 'The payment was not approved yet. Approve it in the payment window first.',
  },
  'payment-mismatch': {
    status: 409,
    title: 'Payment not accepted',
    detail: 'The payment does not match the order. Your plan was not changed; please contact us.',
  },
  confirm_origin: {
    status: 409,
    title: 'Confirm the new address',
    detail: 'Your API keys were entered for another address. Confirm the new one with your current password.',
  },
  'two-factor-enabled': { status: 409, title: 'Already enabled', detail: 'Two-factor sign-in is already enabled.' },
  'two-factor-disabled': { status: 409, title: 'Not enabled', detail: 'Two-factor sign-in is not enabled.' },
  'link-invalid': {
    status: 410,
    title: 'Link not valid',
    detail: 'This link is not valid: it was used before, or is too old.',
  },
  'body-too-large': { status: 413, title: 'Body too large', detail: 'Send a smaller body.' },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the body as application/json.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many attempts. Wait a moment and try again.',
  },
  'search-too-slow': {
    status: 422,
    title: 'Search took too long',
    detail: 'There is too much to look through. Choose a shorter time range or more filters.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong on our side. Try again; the request id helps us find it.',
  },
  'payment-provider-failed': {
    status: 502,
    title: 'Payment provider failed',
    detail: 'The payment provider does not answer as expected right now. Try again in a moment.',
  },
  'payments-not-configured': {
    status: 503,
    title: 'Payments not set up',
    detail: 'Payments are not set up on this server.',
  },
  'mail-not-configured': {
    status: 503,
    title: 'No mails',
    detail: 'This server sends no mails. Ask its operator.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    detail: 'A part that is needed for this does not answer right now. Try again in a moment.',
  },
} as const

export type ProblemCode = keyof typeof problems

/** RFC 9457 problem details, media type `application/problem+json`. */
export const ProblemDetails = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string(),
  /** The request id, as in the `x-request-id` header and in the service's log. */
  instance: z.string(),
  /** One entry for each rejected field. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type ProblemDetails = z.infer<typeof ProblemDetails>
