export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The `code` of an error of Node, Postgres or ClickHouse. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined
