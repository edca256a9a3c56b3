import type { RequestOutcome } from '#schemas/request-outcome.ts'

export const outcomeLabels = {
  completed: 'Completed',
  client_aborted: 'Client left before the end',
  upstream_failed: 'Provider failed',
  interrupted: 'Interrupted: the proxy stopped',
} satisfies Record<RequestOutcome, string>
