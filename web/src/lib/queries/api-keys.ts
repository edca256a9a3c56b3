import { z } from 'zod'
import { ApiKey } from '#schemas/api-keys.ts'
import { jsonQuery } from './json-query.ts'

export const apiKeysPath = '/api/keys'
export const apiKeyStatesPath = `${apiKeysPath}/states`

export const apiKeysQuery = jsonQuery(z.array(ApiKey), apiKeysPath)
