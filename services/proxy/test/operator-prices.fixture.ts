import type { SentModelPrice } from '#schemas/own-model-prices.ts'

const price = (pattern: string, input: number, output: number, more: Partial<SentModelPrice> = {}) => ({
  pattern,
  input,
  output,
  cachedInput: null,
  perRequest: null,
  ...more,
})

/** USD per million tokens. */
export const operatorPrices: readonly SentModelPrice[] = [
  price('mistral-*', 0.4, 2),
  price('mistral-large-*', 2, 6),
  price('gemini-2.5-flash', 0.3, 2.5, { cachedInput: 0.03, audioInput: 1 }),
  price('gemini-2.5-pro', 1.25, 10, {
    cachedInput: 0.125,
    longPrompts: { aboveTokens: 200_000, input: 2.5, output: 15 },
  }),
  price('claude-sonnet-*', 3, 15, {
    cachedInput: 0.3,
    longPrompts: { aboveTokens: 200_000, input: 6, output: 22.5 },
  }),
  price('claude-opus-4-*', 5, 25),
  price('kimi-*', 0.6, 2.5, { cachedInput: 0.15 }),
  price('qwen3-max', 1.2, 6, { cachedInput: 0.12 }),
  price('deepseek-chat', 0.28, 0.42, { cachedInput: 0.028 }),
  price('llama-3.3-70b-versatile', 0.59, 0.79),
  price('meta-llama/*', 0.1, 0.2),
  price('llama3.2', 0, 0),
  price('grok-4', 3, 15, { cachedInput: 0.75 }),
  price('sonar', 1, 1, { perRequest: 0.005 }),
  price('flux-*', 0, 0, { perRequest: 0.003 }),
]
