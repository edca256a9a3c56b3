import { expect, test } from 'vitest'
import { openTestApi } from './api.fixture.ts'
test('an API whose settings are wrong leaves nothing open', async () => {
  await expect(openTestApi({ PUBLIC_URL: 'nonsense' })).rejects.toThrow()
  const api = await openTestApi()
  await api.close()
})
