import { z } from 'zod'

/** An id in the path. What is not a UUID can't be anybody's, so it is refused like one that does not exist. */
export const IdParams = z.object({ id: z.uuid() })
