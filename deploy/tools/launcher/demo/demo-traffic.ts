import { setTimeout as sleep } from 'node:timers/promises'
import { product } from '#schemas/product.ts'
import { createRandom } from './random.ts'

const models = [
  { model: 'gpt-4o-mini', weight: 6 },
  { model: 'gpt-4o', weight: 3 },
  { model: 'gpt-5-mini', weight: 2 },
]
const prompts = ['Summarise our refund policy.', 'Translate "good morning" to French.', 'Name three uses of a gateway.']

/** Sends a request through the gateway every one to three seconds, until the signal is aborted. */
export async function makeTraffic(gatewayUrl: string, tokens: readonly string[], signal: AbortSignal): Promise<void> {
  const random = createRandom(Date.now())
  for (let turn = 0; !signal.aborted; turn += 1) {
    const { model } = random.pick(models)
    try {
      await sleep(random.between(1_000, 3_000), undefined, { signal, ref: false })
      const response = await fetch(`${gatewayUrl}${product.proxyPath}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens[turn % tokens.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          messages: [{ role: 'user', content: prompts[turn % prompts.length] }],
          stream: random.chance(0.5),
        }),
        signal,
      })
      await response.text()
    } catch {
      // The gateway's own log has the failed request.
    }
  }
}
