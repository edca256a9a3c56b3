import { countCached } from './text/text.ts'

/** Usage as chat and text completions report it. */
export const completionUsage = (promptTokens: number, completionTokens: number, reasoningTokens = 0) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: countCached(promptTokens), audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: reasoningTokens,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

/** Usage as the Responses API reports it. */
export const responseUsage = (inputTokens: number, outputTokens: number, reasoningTokens: number) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: countCached(inputTokens), cache_write_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: inputTokens + outputTokens,
})
