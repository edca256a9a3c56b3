import { z } from 'zod'

/** How a request ended. `interrupted`: the proxy crashed meanwhile. */
export const RequestOutcome = z.enum(['completed', 'client_aborted', 'upstream_failed', 'interrupted'])
export type RequestOutcome = z.infer<typeof RequestOutcome>
