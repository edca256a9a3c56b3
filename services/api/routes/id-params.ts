import { z } from 'zod'

/** In lower case, because the secret of an entry is sealed with the text of its id. */
export const IdParams = z.object({ id: z.uuid().toLowerCase() })
