import { useState } from 'react'
import { product, provider } from '#schemas/product.ts'
import { clientBaseUrl } from '#web/lib/base-url.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { CodeExamplesTabs } from '#web/lib/code-examples/code-examples-tabs.tsx'
import { tokenPlaceholder } from '#web/lib/code-examples/code-examples.ts'
import { DocsContents, DocsSection } from './docs-section.tsx'
import { DocsTokens } from './docs-tokens.tsx'
import { EndpointList } from './endpoint-list.tsx'
import { ErrorCodes, errorShape } from './error-codes.tsx'
import { InteractiveTest } from './interactive-test.tsx'
import { RateLimits } from './rate-limits.tsx'

const practices = [
  'Give every application a token of its own, so that you can switch off one without touching the others.',
  'Keep tokens in environment variables or a secret store, never in code that reaches a browser or a repository.',
  'Give tokens an expiry date where an application has an end.',
  'Retry 429 and 5xx with growing pauses, and honour Retry-After. Don’t retry after x-should-retry: false.',
  'Stream long responses, so that the timeout only has to cover the first byte.',
  'Keep a backup key: the proxy moves on to it when the primary one fails.',
]

export function ApiDocsScreen() {
  const [token, setToken] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  return (
    <>
      <PageHeader title="API Documentation" description="How applications call the proxy." />
      <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_12rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <DocsSection id="overview">
            <p className="max-w-prose">
              {product.name} stands between your applications and {provider.name}. It takes the same requests and gives
              the same responses, streams included. Change the base URL and the key in your SDK; the rest of your code
              stays.
            </p>
          </DocsSection>
          <DocsSection id="authentication">
            <div className="flex flex-col gap-4">
              <div>
                <h3 className="mb-1.5 font-medium">Base URL</h3>
                <CodeBlock label="base URL" code={clientBaseUrl()} />
              </div>
              <div>
                <h3 className="mb-1.5 font-medium">Header of every request</h3>
                <CodeBlock label="authorization header" code={`Authorization: Bearer ${tokenPlaceholder}`} />
              </div>
              <div>
                <h3 className="mb-1.5 font-medium">Your tokens</h3>
                <DocsTokens
                  chosenId={chosenId}
                  onChoose={(chosen) => {
                    setChosenId(chosen.id)
                    setToken(chosen.token)
                  }}
                />
              </div>
            </div>
          </DocsSection>
          <DocsSection id="endpoints">
            <EndpointList />
          </DocsSection>
          <DocsSection id="examples">
            <CodeExamplesTabs token={token.trim()} />
          </DocsSection>
          <DocsSection id="testing">
            <InteractiveTest
              token={token}
              onTokenChange={(typed) => {
                setChosenId(null)
                setToken(typed)
              }}
            />
          </DocsSection>
          <DocsSection id="errors">
            <ErrorCodes />
            <p className="mt-2 mb-1.5">
              Errors have the shape that {provider.name} uses, so SDKs raise their own types.
            </p>
            <CodeBlock label="error shape" code={errorShape} language="json" />
          </DocsSection>
          <DocsSection id="limits">
            <RateLimits />
          </DocsSection>
          <DocsSection id="practices">
            <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-muted">
              {practices.map((practice) => (
                <li key={practice}>{practice}</li>
              ))}
            </ul>
          </DocsSection>
        </div>
        <DocsContents />
      </div>
    </>
  )
}
