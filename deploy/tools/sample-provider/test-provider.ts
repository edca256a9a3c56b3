import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { createProvider, type ProviderOptions } from './provider.ts'

/** A provider that listens for the duration of one test, with an official OpenAI client that does not retry. */
export const startProvider = async (options: ProviderOptions = {}) => {
  const provider = createProvider(options)
  const origin = await provider.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => provider.close())
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${origin}/v1`, maxRetries: 0 })

  /** A chat completion by plain fetch, with extra headers. */
  const chat = (headers: Record<string, string> = {}, body: object = {}, signal?: AbortSignal) =>
    fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...body }),
      signal,
    })
  return { provider, origin, client, chat }
}

export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}
