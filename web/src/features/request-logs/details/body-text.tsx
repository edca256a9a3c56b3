import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { RequestLog } from '#schemas/request-logs.ts'
import { formatBytes, formatCounted, formatJson } from '#web/lib/text/format.ts'
import { visibleText } from '#web/lib/text/visible-text.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextViewer } from '#web/ui/text-viewer.tsx'
import { Conversation } from './conversation/conversation.tsx'
import { readBody } from './conversation/read-body.ts'
import { type BodySide, cutText } from './cut-text.ts'

const labels = { request: 'Request body', response: 'Response body' }
const viewNames = { conversation: 'Conversation', formatted: 'Formatted', raw: 'Raw' }
type View = keyof typeof viewNames

type BodyTextProps = { log: RequestLog; side: BodySide }

/** A body as a conversation, formatted or raw; without one, links to the settings that store bodies. */
export function BodyText({ log, side }: BodyTextProps) {
  const body = side === 'request' ? log.requestBody : log.responseBody
  return body === null ? (
    <BodyNotStored log={log} label={labels[side]} />
  ) : (
    <StoredBody log={log} side={side} body={body} />
  )
}

function StoredBody({ log, side, body }: BodyTextProps & { body: string }) {
  const [chosen, setChosen] = useState<View>('conversation')
  const { events, messages } = useMemo(() => readBody(log.endpoint, side, body), [log.endpoint, side, body])
  // A stream can only be shown as its events.
  const textViews: View[] = events === undefined ? ['formatted', 'raw'] : ['raw']
  const views: View[] = messages ? ['conversation', ...textViews] : textViews
  const view = views.includes(chosen) ? chosen : (views[0] ?? 'raw')
  const label = labels[side]
  const cut = cutText(log, side)
  const size = formatBytes(new Blob([body]).size)
  return (
    <section>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">
          {label}
          <span className="ml-2 text-xs font-normal text-muted tabular-nums">
            {events === undefined ? size : `${formatCounted(events, 'event')}, ${size}`}
          </span>
        </h3>
        {views.length > 1 && (
          <Segmented
            label={`How to show the ${label.toLowerCase()}`}
            value={view}
            onValueChange={setChosen}
            options={views.map((value) => ({ value, label: viewNames[value] }))}
          />
        )}
      </div>
      {cut !== null && (
        <div className="mb-2">
          <Notice tone="warn">Cut at {cut}. The rest was passed on, but not kept.</Notice>
        </div>
      )}
      {messages && view === 'conversation' ? (
        <Conversation label={label} messages={messages} />
      ) : (
        <PlainBody key={view} label={label.toLowerCase()} body={body} isFormatted={view === 'formatted'} />
      )}
    </section>
  )
}

function PlainBody({ label, body, isFormatted }: { label: string; body: string; isFormatted: boolean }) {
  const text = useMemo(() => visibleText(isFormatted ? formatJson(body) : body), [body, isFormatted])
  if (text === '') {
    return <p className="rounded-control border border-dashed border-line p-4 text-muted">No text in it.</p>
  }
  return <TextViewer label={label} text={text} language={/^\s*[[{]/.test(text) ? 'json' : undefined} />
}

/** If the other body was kept, the settings are on. */
const BodyNotStored = ({ log, label }: { log: RequestLog; label: string }) => (
  <section>
    <h3 className="mb-2 font-medium">{label}</h3>
    <div className="rounded-control border border-dashed border-line p-4">
      <p className="font-mono">N/A</p>
      {log.requestBody === null && log.responseBody === null ? (
        <p className="mt-1 text-muted">
          Bodies are not kept unless “Log request and response bodies” is on in{' '}
          <Link to="/proxy-config" className="text-accent underline underline-offset-2">
            Proxy Config
          </Link>
          , or for a while at a{' '}
          <Link to="/secure-tokens" className="text-accent underline underline-offset-2">
            secure token
          </Link>
          .
        </p>
      ) : (
        <p className="mt-1 text-muted">A body that is empty, not text or too large is not kept.</p>
      )}
    </div>
  </section>
)
