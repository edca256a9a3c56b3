import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { ApiKeyState } from '#schemas/api-keys.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'
import { apiKeyStatesPath } from '#web/lib/queries/api-keys.ts'

/** Cooldowns last only seconds. */
const refetchMs = 10_000

export const apiKeyStatesQuery = queryOptions({
  ...jsonQuery(z.array(ApiKeyState), apiKeyStatesPath),
  refetchInterval: refetchMs,
})
