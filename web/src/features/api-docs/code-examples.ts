import type { CodeLanguage } from '#web/ui/highlighted-code.tsx'

/** Shown until a token is chosen. */
export const tokenPlaceholder = 'st_your_token'

/** Source: product.md 10.7. */
export const sample = { model: 'gpt-3.5-turbo', message: 'Hello, how are you?', maxTokens: 150 }

type CodeExample = { id: string; title: string; language: CodeLanguage; code: string }

/** The same request in the four languages of product.md 10.7. */
export const codeExamples = (baseUrl: string, token: string): readonly CodeExample[] => [
  {
    id: 'curl',
    title: 'cURL',
    language: 'bash',
    code: `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${sample.model}",
    "messages": [{"role": "user", "content": "${sample.message}"}],
    "max_tokens": ${sample.maxTokens}
  }'`,
  },
  {
    id: 'javascript',
    title: 'JavaScript',
    language: 'javascript',
    code: `const response = await fetch('${baseUrl}/chat/completions', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${token}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    model: '${sample.model}',
    messages: [{ role: 'user', content: '${sample.message}' }],
    max_tokens: ${sample.maxTokens},
  }),
})

const completion = await response.json()
console.log(completion.choices[0].message.content)`,
  },
  {
    id: 'python',
    title: 'Python',
    language: 'python',
    code: `from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}",
    api_key="${token}",
)

completion = client.chat.completions.create(
    model="${sample.model}",
    messages=[{"role": "user", "content": "${sample.message}"}],
    max_tokens=${sample.maxTokens},
)

print(completion.choices[0].message.content)`,
  },
  {
    id: 'node',
    title: 'Node.js',
    language: 'javascript',
    code: `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${baseUrl}',
  apiKey: '${token}',
})

const completion = await client.chat.completions.create({
  model: '${sample.model}',
  messages: [{ role: 'user', content: '${sample.message}' }],
  max_tokens: ${sample.maxTokens},
})

console.log(completion.choices[0].message.content)`,
  },
]
