import { Registration } from '#schemas/registration.ts'
import { jsonQuery } from './json-query.ts'

/** Whether this server allows registrations, and whether it sends mails. */
export const registrationQuery = jsonQuery(Registration, '/api/registration')
