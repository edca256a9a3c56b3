import { codeOf, messageOf } from './errors.ts'
import { Problem } from './problem.ts'
import { StartupProblem } from './process/startup.ts'

/** Returns one sentence for a failure that an operator can fix, otherwise the error with its stack. */
export function describeFailure(error: unknown): unknown {
  if (error instanceof StartupProblem || error instanceof Problem) return error.message
  const redisFailure = error instanceof Error && describeRedisFailure(error)
  if (redisFailure) return `A store cannot be used: ${redisFailure}.`
  const code = codeOf(error)
  if (code === undefined || code.startsWith('ERR_')) return error
  // A name may have several addresses.
  const reason = error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error)
  return `A store cannot be used: ${reason}${reason.includes(code) ? '' : ` (${code})`}.`
}

const disconnected = ['Connection is closed.', "Stream isn't writeable and enableOfflineQueue options is false"]

/** Errors of the client have no code, and speak of its settings. */
function describeRedisFailure({ name, message }: Error): string | undefined {
  if (name === 'ReplyError') return `Redis responded with ${message.replace(/\.$/, '')}`
  if (message === 'Command timed out') return 'Redis did not respond in time'
  if (name === 'MaxRetriesPerRequestError' || disconnected.includes(message)) return 'the connection to Redis broke off'
  return undefined
}
