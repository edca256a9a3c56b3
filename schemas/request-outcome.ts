import { z } from 'zod'

export const RequestOutcome = z
  .enum(['completed', 'client_aborted', 'upstream_failed', 'interrupted'])
  .describe('How a request ended. `interrupted`: the proxy crashed meanwhile.')
export type RequestOutcome = z.infer<typeof RequestOutcome>
