import { clientBaseUrl } from '#web/lib/base-url.ts'
import { curlExample, tokenPlaceholder } from '#web/lib/code-examples/code-examples.ts'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'

export const HowToUse = () => (
  <Card title="How to Use">
    <ol className="flex flex-col gap-4 p-4">
      <li>
        <p className="mb-1.5">Set this as the base URL of your SDK.</p>
        <CodeBlock label="base URL" code={clientBaseUrl()} />
      </li>
      <li>
        <p className="mb-1.5">Give the SDK a secure token as its API key, or send it as a bearer credential.</p>
        <CodeBlock label="authorization header" code={`Authorization: Bearer ${tokenPlaceholder}`} />
      </li>
      <li>
        <p className="mb-1.5">Send a request.</p>
        <CodeBlock label="example request" code={curlExample(clientBaseUrl(), tokenPlaceholder)} language="bash" />
      </li>
    </ol>
  </Card>
)
