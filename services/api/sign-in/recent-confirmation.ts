import type { FastifyRequest } from 'fastify'
import { Problem } from '#core/problem.ts'

/**
 * For calls that could take the account from its owner.
 * @throws Problem `confirm_password` unless the session showed the password a short time ago
 */
export async function requireRecentConfirmation({ isConfirmed }: FastifyRequest): Promise<void> {
  if (!isConfirmed) throw new Problem('confirm_password')
}
