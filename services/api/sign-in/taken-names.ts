import { Problem } from '#core/problem.ts'
import { networkOf } from './network.ts'
import type { Throttle } from './throttle.ts'

/**
 * Slows down attempts to find out which names and addresses are taken. Every change counts from its start, so that many at
 * once gain nothing; one that does not run into a taken name is taken back.
 * @throws Problem `too-many-requests`, and what the change throws
 */
export async function slowTakenNames<T>(throttle: Throttle, address: string, change: () => Promise<T>): Promise<T> {
  const network = networkOf(address)
  await throttle.count('takenName', network)
  try {
    const result = await change()
    await throttle.forgive('takenName', network)
    return result
  } catch (error) {
    if (!isTaken(error)) await throttle.forgive('takenName', network)
    throw error
  }
}

const isTaken = (error: unknown) =>
  error instanceof Problem && (error.code === 'username-taken' || error.code === 'email-taken')
