const usage = { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 }

/** The provider's response to each documented operation of the proxy. */
export const providerResponses: Record<string, object> = {
  createChatCompletion: {
    id: 'chatcmpl-example',
    object: 'chat.completion',
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Fine, thank you.' }, finish_reason: 'stop' }],
    usage,
  },
  createCompletion: {
    id: 'cmpl-example',
    object: 'text_completion',
    model: 'gpt-3.5-turbo-instruct',
    choices: [{ index: 0, text: 'This is a test.', finish_reason: 'stop' }],
    usage,
  },
  createEmbedding: {
    object: 'list',
    model: 'text-embedding-3-small',
    data: [{ object: 'embedding', index: 0, embedding: [0.012, -0.034] }],
    usage: { prompt_tokens: 4, total_tokens: 4 },
  },
  createImage: { created: 1_795_435_200, data: [{ b64_json: 'iVBORw0KGgo=' }] },
  listModels: { object: 'list', data: [{ id: 'gpt-4o', object: 'model', owned_by: 'openai' }] },
}
