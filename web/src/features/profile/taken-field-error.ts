import { ApiError } from '#web/lib/api.ts'

const takenFields = { 'username-taken': 'username', 'email-taken': 'email' } as const

/** The field that another account already has, when that is why a change was refused. */
export function takenFieldError(error: unknown) {
  const problem = error instanceof ApiError ? error.problem : null
  if (problem?.code !== 'username-taken' && problem?.code !== 'email-taken') return null
  return { field: takenFields[problem.code], message: problem.detail }
}
