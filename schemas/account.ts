import { z } from 'zod'
import { optionalText, requiredName, requiredText } from './plain-text.ts'
import { PlanName } from './plan-name.ts'

const requiredMessage = 'Please fill in all required fields.'

/** The signed-in user, as returned to the web app. Source: product.md 2.1. */
export const User = z.object({
  id: z.uuid(),
  username: z.string(),
  email: z.string(),
  isEmailConfirmed: z.boolean().describe('An unconfirmed address receives only the confirmation mail.'),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  subscriptionStatus: PlanName.describe("The account's plan."),
  isOperator: z.boolean().describe('May see the pipeline of the whole installation; set only on the command line.'),
})
export type User = z.infer<typeof User>

/** Names the account of a request: a header in the web app's API requests, a parameter in its links. */
export const accountHeader = 'x-sallyport-account'
export const accountParameter = 'account'

/**
 * ASCII only, so that no two names look the same. Minimum length: product.md 2.3.
 * @param emptyMessage shown when the name is missing
 */
const username = (emptyMessage: string) =>
  z
    .string(emptyMessage)
    .trim()
    .min(1, { message: emptyMessage, abort: true })
    .min(3, { message: 'Username must be at least 3 characters', abort: true })
    .max(64, 'Username must be at most 64 characters')
    .regex(/^[A-Za-z0-9._+-]+$/, 'Username may only contain letters, digits and . _ + -')

const email = (emptyMessage: string) =>
  z
    .string(emptyMessage)
    .trim()
    .min(1, { message: emptyMessage, abort: true })
    .max(254, { message: 'Invalid email address', abort: true })
    .pipe(z.email('Invalid email address'))

const passwordToSet = (emptyMessage: string) =>
  z
    .string(emptyMessage)
    .min(1, { message: emptyMessage, abort: true })
    .min(8, 'Password must be at least 8 characters')
    .max(1_024, 'Password must be at most 1024 characters')

export const SecondStepCode = z
  .string()
  .trim()
  .max(64, 'Code must be at most 64 characters')
  .optional()
  .describe('A code from the authenticator app, or a recovery code; required only if two-factor is enabled.')

/** Source: product.md 2.4. */
export const Login = z.object({
  username: requiredText('Username', 254, requiredMessage),
  password: z.string(requiredMessage).min(1, requiredMessage).max(1_024, 'Password must be at most 1024 characters'),
  code: SecondStepCode,
})
export type Login = z.infer<typeof Login>

/** Source: product.md 2.5, 2.8. */
export const Register = z.object({
  username: username(requiredMessage),
  email: email(requiredMessage),
  password: passwordToSet(requiredMessage),
  firstName: optionalText('First name', 100),
  lastName: optionalText('Last name', 100),
  inviteCode: z
    .string()
    .trim()
    .max(64, 'Invite code must be at most 64 characters')
    .optional()
    .describe('Required when registration is by invitation.'),
})
export type Register = z.infer<typeof Register>

/** Source: product.md 2.8. */
export const UpdateProfile = z.object({
  firstName: requiredName('First name', 100, 'First name is required'),
  lastName: requiredName('Last name', 100, 'Last name is required'),
  email: email('Invalid email address'),
  username: username('Username must be at least 3 characters'),
})
export type UpdateProfile = z.infer<typeof UpdateProfile>

/** How long an email change can be undone from the old address. */
export const undoEmailHours = 72

export const UndoEmailChange = z.object({
  token: z.string().min(1).max(100).describe('The secret from the link in the mail to the old address.'),
})
export type UndoEmailChange = z.infer<typeof UndoEmailChange>

/** The current password, where a change needs confirmation. */
export const CurrentPassword = z
  .string('Current password is required')
  .min(1, 'Current password is required')
  .max(1_024, 'Password must be at most 1024 characters')

const linkSecret = z
  .string()
  .min(1, 'This link is not complete')
  .max(128, 'This link is not complete')
  .describe('The part of a mailed link after the `#`.')

export const ConfirmEmail = z.object({ secret: linkSecret })
export type ConfirmEmail = z.infer<typeof ConfirmEmail>

export const ForgotPassword = z.object({ email: email('Email address is required') })
export type ForgotPassword = z.infer<typeof ForgotPassword>

const newPasswordFields = {
  newPassword: passwordToSet('Password must be at least 8 characters'),
  confirmPassword: z
    .string('Please confirm your password')
    .min(1, { message: 'Please confirm your password', abort: true })
    .max(1_024),
}
const passwordsMatch = ({ newPassword, confirmPassword }: { newPassword: string; confirmPassword: string }) =>
  newPassword === confirmPassword
const mismatch = { message: "Passwords don't match", path: ['confirmPassword'] }

export const ResetPassword = z.object({ secret: linkSecret, ...newPasswordFields }).refine(passwordsMatch, mismatch)
export type ResetPassword = z.infer<typeof ResetPassword>

/** Source: product.md 2.9. */
export const ChangePassword = z
  .object({ currentPassword: CurrentPassword, ...newPasswordFields })
  .refine(passwordsMatch, mismatch)
export type ChangePassword = z.infer<typeof ChangePassword>
