import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatJson, formatMs } from '#web/lib/text/format.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TextViewer } from '#web/ui/text-viewer.tsx'
import type { TesterResponse } from './send-request.ts'

const states = {
  receiving: 'Receiving…',
  complete: 'Complete',
  stopped: 'Stopped by you',
  broken: 'The connection broke off',
}

export function ResponsePanel({ response, sending }: { response: TesterResponse | null; sending: boolean }) {
  if (!response) {
    return sending ? (
      <output className="flex items-center justify-center gap-2 py-16 text-muted">
        <Spinner />
        Waiting for the response…
      </output>
    ) : (
      <EmptyState icon={Send} title="No response yet">
        Send a request; its response shows here as it arrives.
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Reading label="Status">
          <StatusBadge status={response.status} />
        </Reading>
        <Reading label="Time">{formatMs(response.durationMs)}</Reading>
        <Reading label="First byte">{formatMs(response.firstByteMs)}</Reading>
        <Reading label="Size">{formatBytes(response.size)}</Reading>
        <Reading label="State">{states[response.state]}</Reading>
      </dl>
      {response.isCut && (
        <Notice tone="warn">Only the first {formatCount(response.body?.length ?? 0)} characters are shown.</Notice>
      )}
      <ResponseBody response={response} />
      <details>
        <summary className="w-fit py-1 font-medium">Response headers</summary>
        <div className="pt-2">
          <CodeBlock label="response headers" code={JSON.stringify(response.headers, null, 2)} language="json" />
        </div>
      </details>
    </div>
  )
}

function ResponseBody({ response }: { response: TesterResponse }) {
  const { body, streamText, size, headers } = response
  if (body === null) {
    return (
      <p className="rounded-control border border-dashed border-line p-4 text-muted">
        {`Not text: ${formatBytes(size)} of ${headers['content-type'] ?? 'an unknown type'}.`}
      </p>
    )
  }
  if (streamText !== '') {
    return (
      <>
        <TextViewer label="streamed text" text={streamText} />
        <TextViewer label="events" text={body.trimEnd()} />
      </>
    )
  }
  return body === '' ? (
    <p className="rounded-control border border-dashed border-line p-4 text-muted">
      {response.state === 'receiving' ? 'Nothing has arrived yet.' : 'The response has no body.'}
    </p>
  ) : (
    <TextViewer label="response body" text={response.state === 'receiving' ? body : formatJson(body)} language="json" />
  )
}

const Reading = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="mt-0.5 flex h-5 items-center font-mono text-xs tabular-nums">{children}</dd>
  </div>
)
