import { z } from 'zod'
import { ProblemDetails } from './problem-details.ts'

const problem = (status: number, title: string, detail: string) => ({ status, title, detail })

/**
 * Errors of the control plane by their stable codes; those of the proxy are in `proxy-errors.ts`. Code that raises an
 * error may give a more specific `detail`; status and title never change.
 */
export const problems = {
  'invalid-request': problem(400, 'Invalid request', 'The request does not have the expected form.'),
  'missing-fields': problem(400, 'Missing fields', 'Please fill in all required fields.'),
  unauthorized: problem(401, 'Unauthorized', 'Sign in to continue.'),
  'invalid-credentials': problem(401, 'Invalid credentials', 'Wrong username or password.'),
  'payment-declined': problem(
    402,
    'Payment declined',
    'The payment was declined. Choose another payment method and try again.',
  ),
  'webhook-not-verified': problem(403, 'Webhook not verified', 'The message does not carry a valid signature.'),
  'two-factor-required': problem(401, 'Code needed', 'Enter the code of your authenticator app, or a recovery code.'),
  'two-factor-invalid': problem(401, 'Wrong code', 'That code is wrong, has expired or was used before.'),
  'wrong-password': problem(403, 'Wrong password', 'Current password is wrong'),
  'key-scope': problem(
    403,
    'Not allowed',
    'This management key does not have the scope for this call. Its owner can create one that does.',
  ),
  confirm_password: problem(
    403,
    'Confirm your password',
    'Confirm your password to continue. This session has not confirmed it in the last 15 minutes.',
  ),
  'account-disabled': problem(
    403,
    'Account disabled',
    'This account is disabled. Contact the operator of this server.',
  ),
  'registration-closed': problem(403, 'Registration closed', 'No new accounts can be created on this server.'),
  'invite-invalid': problem(403, 'Invite needed', 'A valid invite code is needed to create an account on this server.'),
  'cross-site': problem(403, 'Forbidden', 'This call is only allowed from pages of the same site.'),
  'token-limit-reached': problem(
    403,
    'Token limit reached',
    'Your plan allows no more secure tokens. Delete one or change the plan.',
  ),
  'key-limit-reached': problem(
    403,
    'Key limit reached',
    'An account can have 100 API keys. Delete one that is no longer needed.',
  ),
  'price-limit-reached': problem(
    403,
    'Price limit reached',
    'An account can have 200 model prices. Delete one that is no longer needed.',
  ),
  'limit-reached': problem(403, 'Limit reached', 'Delete one that is no longer needed.'),
  'not-found': problem(404, 'Not found', 'There is nothing at this address. It may have been deleted.'),
  'method-not-allowed': problem(405, 'Method not allowed', 'This address does not support that method.'),
  other_account: problem(
    409,
    'Another account',
    'Another account has signed in here in the meantime. Reload the page to continue.',
  ),
  'unknown-host': problem(
    421,
    'Unknown host',
    'This server is not configured for this host name. Its operator can add it to ALLOWED_HOSTS.',
  ),
  'username-taken': problem(409, 'Username taken', 'Another account has this username.'),
  'email-taken': problem(409, 'Email taken', 'Another account has this email address.'),
  'price-exists': problem(409, 'Price exists', 'This model or pattern already has a price. Edit that one.'),
  'view-exists': problem(409, 'View exists', 'Another view has this name. Choose a different one.'),
  conflict: problem(409, 'Changed at the same moment', 'Another request changed this at the same time. Try again.'),
  'already-subscribed': problem(
    409,
    'Already subscribed',
    'Your plan already includes this one, so there is nothing to pay.',
  ),
  'payment-not-approved': problem(
    409,
    'Payment not approved',
    'The payment has not been approved yet. Approve it in the payment window first.',
  ),
  'payment-pending': problem(
    409,
    'Payment not decided yet',
    'The payment provider has not decided on your last payment yet. Your plan changes once it has, so there is nothing more to pay.',
  ),
  'payment-mismatch': problem(
    409,
    'Payment not accepted',
    'The payment does not match the order. Your plan was not changed; please contact us.',
  ),
  confirm_origin: problem(
    409,
    'Confirm the new address',
    'Your API keys were entered for another address. Confirm the new one with your current password.',
  ),
  'two-factor-enabled': problem(409, 'Already enabled', 'Two-factor sign-in is already enabled.'),
  'two-factor-disabled': problem(409, 'Not enabled', 'Two-factor sign-in is not enabled.'),
  'idempotency-pending': problem(409, 'Call under way', 'A call with this Idempotency-Key is still in progress.'),
  'secret-lost': problem(410, 'No longer readable', 'This server has lost the key that encrypted it.'),
  'link-invalid': problem(410, 'Link not valid', 'This link is not valid: it was already used or has expired.'),
  'body-too-large': problem(413, 'Body too large', 'The body is too large. Send a smaller one.'),
  'unsupported-media-type': problem(415, 'Unsupported media type', 'Send the body as application/json.'),
  'too-many-requests': problem(429, 'Too many requests', 'Too many attempts. Wait a moment and try again.'),
  'idempotency-mismatch': problem(
    422,
    'Key used before',
    'This Idempotency-Key was already used for a different call. Use a new one.',
  ),
  'search-too-slow': problem(
    422,
    'Search took too long',
    'There is too much to search. Choose a shorter time range or more filters.',
  ),
  'internal-error': problem(
    500,
    'Internal error',
    'Something went wrong on our side. Try again; the request id helps us find it.',
  ),
  'payment-provider-failed': problem(
    502,
    'Payment provider failed',
    'The payment provider does not respond as expected right now. Try again in a moment.',
  ),
  'payments-not-configured': problem(503, 'Payments not set up', 'Payments are not set up on this server.'),
  'mail-not-configured': problem(503, 'No mails', 'This server sends no mails. Ask its operator.'),
  unavailable: problem(
    503,
    'Temporarily unavailable',
    'A service that is needed for this does not respond right now. Try again in a moment.',
  ),
}

export type ProblemCode = keyof typeof problems

/** A problem as the server sends it, with a code from the catalogue. */
export const SentProblem = ProblemDetails.extend({
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
})
