import { clientBaseUrl } from '#web/lib/base-url.ts'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'

const request = () => `curl ${clientBaseUrl()}/chat/completions \\
  -H "Authorization: Bearer st_your_token" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-3.5-turbo", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 150}'`

export const HowToUse = () => (
  <Card title="How to Use">
    <ol className="flex flex-col gap-4 p-4">
      <li>
        <p className="mb-1.5">Set this as the base URL of your SDK.</p>
        <CodeBlock label="base URL" code={clientBaseUrl()} />
      </li>
      <li>
        <p className="mb-1.5">Give the SDK a secure token as its API key, or send it as a bearer credential.</p>
        <CodeBlock label="authorization header" code="Authorization: Bearer st_your_token" />
      </li>
      <li>
        <p className="mb-1.5">Send a request.</p>
        <CodeBlock label="example request" code={request()} />
      </li>
    </ol>
  </Card>
)
