import type { LoadRequest } from './load/job.ts'
import type { Target } from './targets/target.ts'

const messages = [
  { role: 'system', content: 'You are a helpful assistant that answers briefly.' },
  { role: 'user', content: 'What is the difference between a gateway and a proxy? Answer in two sentences.' },
]

/** @param wish instructions to the benchmarks' provider, see `upstream.ts`; undefined: respond immediately */
export function chatRequest({ url, headers }: Target, wish?: string): LoadRequest {
  const stream = wish?.startsWith('frames=') ? { stream: true } : {}
  const body = JSON.stringify({ model: 'gpt-4o-mini', ...stream, user: wish, messages })
  return { url, headers: { ...headers, 'content-type': 'application/json' }, body }
}
