import { z } from 'zod'

/** An id in the path, always a UUID. */
export const IdParams = z.object({ id: z.uuid() })
