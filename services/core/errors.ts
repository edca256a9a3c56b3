export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An error with a `code`, as those of Node have. */
export const errorWithCode = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** The `code` of an error of Node, Postgres or ClickHouse. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined
