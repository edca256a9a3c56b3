import { mutationOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { product } from '#schemas/product.ts'
import { RevealedSecureToken } from '#schemas/secure-tokens.ts'
import { fetchJson } from '#web/lib/api.ts'
import { fetchFromGateway } from '#web/lib/reachability.ts'
import { asUtf8 } from '#web/lib/text/utf8-headers.ts'
import { parseJson } from '#schemas/parse-json.ts'

export const revealTokenMutation = mutationOptions({
  mutationFn: (id: string) => fetchJson(RevealedSecureToken, 'GET', `/api/tokens/${id}/reveal`),
  meta: { failure: 'Failed to retrieve the full token' },
})

type InteractiveTest = { token: string; model: string; message: string; maxTokens: number }
export type TestResponse = { status: number; durationMs: number; body: string }

const ProxyError = z.object({ error: z.object({ message: z.string() }) })

/** The message of a proxy error. Source: product.md 10.8. */
export const proxyErrorMessage = (body: string) =>
  ProxyError.safeParse(parseJson(body)).data?.error.message || 'Unknown error occurred'

/** Calls the documented endpoint with a token, as a client would. Resolves for every status. */
export async function runInteractiveTest({ token, model, message, maxTokens }: InteractiveTest): Promise<TestResponse> {
  const started = performance.now()
  const response = await fetchFromGateway(`${product.proxyPath}/v1/chat/completions`, {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json', ...asUtf8({ Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: message }], max_tokens: maxTokens }),
  })
  const body = await response.text()
  return { status: response.status, durationMs: Math.round(performance.now() - started), body }
}
