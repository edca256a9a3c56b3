/** Source: specification §7, "Documented proxy endpoints". All are POST. */
export const endpoints = [
  { path: '/v1/chat/completions', text: 'Answers a conversation, in one piece or streamed.' },
  { path: '/v1/completions', text: 'Continues a prompt (legacy models).' },
  { path: '/v1/embeddings', text: 'Turns text into vectors.' },
  { path: '/v1/images/generations', text: 'Makes images from a description.' },
] as const
