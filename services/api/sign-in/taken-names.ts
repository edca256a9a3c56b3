import { Problem } from '#core/problem.ts'
import { networkOf } from './client-address.ts'
import type { Throttle } from './throttle.ts'

/**
 * Slows down the guessing of taken names and addresses. Each change is counted before it runs, so that parallel ones
 * gain nothing; the count is taken back unless the name turns out to be taken.
 * @throws Problem `too-many-requests`, and errors of the change
 */
export async function slowTakenNames<T>(throttle: Throttle, address: string, change: () => Promise<T>): Promise<T> {
  const network = networkOf(address)
  await throttle.count('takenName', network)
  try {
    const result = await change()
    await throttle.forgive('takenName', network)
    return result
  } catch (error) {
    const isTaken = error instanceof Problem && (error.code === 'username-taken' || error.code === 'email-taken')
    if (!isTaken) await throttle.forgive('takenName', network)
    throw error
  }
}
