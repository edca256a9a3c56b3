import { expect, it, vi } from 'vitest'
import { Preferences } from '#schemas/preferences.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { savePreferencesMutation } from './profile-mutations.ts'

vi.mock('#web/lib/api.ts', async (original) => ({
  ...(await original<object>()),
  fetchJson: async () => Preferences.parse({}),
}))
vi.mock('#web/lib/theme.ts', () => ({ setTheme: () => undefined }))

it('reads the analytics again, whose steps are of the saved time zone', async () => {
  const client = createQueryClient()
  const key = ['/api/analytics', { range: '7d' }]
  client.setQueryData(key, {})
  await client.getMutationCache().build(client, savePreferencesMutation).execute(Preferences.parse({}))
  expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})
