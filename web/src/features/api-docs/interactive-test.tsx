import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { formatJson, formatMs } from '#web/lib/text/format.ts'
import { refresh } from '#web/lib/refresh.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Field } from '#web/ui/field.tsx'
import { codeInput, Input, secretInput } from '#web/ui/input.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { sample } from '#web/lib/code-examples/code-examples.ts'
import { proxyErrorMessage, runInteractiveTest } from './interactive-test-calls.ts'

type InteractiveTestProps = { token: string; onTokenChange: (token: string) => void }

/** Source: product.md 10.8. */
export function InteractiveTest({ token, onTokenChange }: InteractiveTestProps) {
  const client = useQueryClient()
  const tokenField = useRef<HTMLInputElement>(null)
  const [model, setModel] = useState(sample.model)
  const [message, setMessage] = useState(sample.message)
  const [maxTokens, setMaxTokens] = useState(sample.maxTokens)
  const [tokenMissing, setTokenMissing] = useState(false)
  const { mutate, data, isPending } = useMutation({
    mutationFn: runInteractiveTest,
    onSuccess: ({ status, body }) => {
      if (status >= 400) toast({ title: 'API test failed', description: proxyErrorMessage(body), destructive: true })
      void refresh(client, ['/api/logs', '/api/stats', '/api/tokens'])
    },
    meta: { failure: 'Failed to connect to the API endpoint' },
  })

  function send(event: FormEvent) {
    event.preventDefault()
    setTokenMissing(token.trim() === '')
    if (token.trim() !== '') return isPending || mutate({ token: token.trim(), model, message, maxTokens })
    toast({
      title: 'Token required',
      description: 'Please enter a secure token to test the endpoint',
      destructive: true,
    })
    tokenField.current?.focus()
  }

  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4">
      <Field
        label="Secure Token"
        hint="Choose one under Authentication, or paste it."
        error={tokenMissing && token.trim() === '' ? 'Please enter a secure token to test the endpoint' : undefined}
      >
        {(aria) => (
          <Input
            {...aria}
            ref={tokenField}
            value={token}
            onChange={(event) => onTokenChange(event.target.value)}
            placeholder="st_…"
            {...secretInput}
            required
          />
        )}
      </Field>
      <div className="flex flex-col gap-4 sm:flex-row">
        <Field label="Model">
          {(aria) => (
            <Input {...aria} value={model} onChange={(event) => setModel(event.target.value)} {...codeInput} />
          )}
        </Field>
        <Field label="Max tokens">
          {(aria) => (
            <NumberInput
              {...aria}
              value={maxTokens}
              fallback={sample.maxTokens}
              onValueChange={setMaxTokens}
              min={1}
              className="font-mono"
            />
          )}
        </Field>
      </div>
      <Field label="Message">
        {(aria) => <Input {...aria} value={message} onChange={(event) => setMessage(event.target.value)} dir="auto" />}
      </Field>
      <Button type="submit" variant="primary" pendingText={isPending && 'Testing...'} className="sm:self-start">
        <Send />
        Test Endpoint
      </Button>
      <output className="flex items-center gap-3 empty:hidden">
        {data && (
          <>
            <StatusBadge status={data.status} />
            <span className="font-mono text-xs tabular-nums">{formatMs(data.durationMs)}</span>
          </>
        )}
      </output>
      {data && (
        <CodeBlock label="test response" code={formatJson(data.body) || 'The response has no body.'} language="json" />
      )}
    </form>
  )
}
