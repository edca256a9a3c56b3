import { z } from 'zod'

// zod's compiled parsers need eval, which the content security policy forbids. Imported before any schema is made.
z.config({ jitless: true })
