import type { Logger } from '#core/logger.ts'
import { Problem } from '#core/problem.ts'
import type { AuditSource } from '#store/postgres/audit.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import type { PasswordResetStore } from '#store/postgres/sign-in/password-resets.ts'
import type { Throttle } from './throttle.ts'

/** Never rejects, because it is not awaited. */
export type RequestPasswordReset = (email: string, by: AuditSource) => Promise<void>

/** Asks for the mail, if the address may have another one. */
export const createRequestPasswordReset =
  (resets: PasswordResetStore, throttle: Throttle, logger: Pick<Logger, 'error'>): RequestPasswordReset =>
  async (email, by) => {
    try {
      await throttle.count('passwordReset', foldName(email))
      await resets.request(email, by)
    } catch (error) {
      if (error instanceof Problem && error.code === 'too-many-requests') return
      logger.error({ err: error }, 'a password reset could not be asked for')
    }
  }
