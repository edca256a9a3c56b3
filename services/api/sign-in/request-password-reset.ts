import type { Logger } from '#core/logger.ts'
import { Problem } from '#core/problem.ts'
import type { AuditSource } from '#store/postgres/audit.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import type { PasswordResetStore } from '#store/postgres/sign-in/password-resets.ts'
import type { Throttle } from './throttle.ts'

export type RequestPasswordReset = ReturnType<typeof createRequestPasswordReset>

/** Queues the mail unless the address has had too many. The promise never rejects, because nothing awaits it. */
export const createRequestPasswordReset =
  (resets: PasswordResetStore, throttle: Throttle, logger: Pick<Logger, 'error'>) =>
  async (email: string, by: AuditSource): Promise<void> => {
    try {
      await throttle.count('passwordReset', foldName(email))
      await resets.request(email, by)
    } catch (error) {
      if (error instanceof Problem && error.code === 'too-many-requests') return
      logger.error({ err: error }, 'a password reset could not be requested')
    }
  }
