import { codeOf, messageOf } from './errors.ts'
import { Problem } from './problem.ts'
import { StartupProblem } from './process/startup.ts'

/** Returns one sentence for a failure that an operator can fix, otherwise the error with its stack. */
export function describeFailure(error: unknown): unknown {
  if (error instanceof StartupProblem || error instanceof Problem) return error.message
  const code = codeOf(error)
  if (code === undefined || code.startsWith('ERR_')) return error
  // A name may have several addresses.
  const reason = error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error)
  return `A store cannot be used: ${reason}${reason.includes(code) ? '' : ` (${code})`}.`
}
