import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { formatBytes, formatCount, formatJson } from '#web/lib/text/format.ts'
import { visibleText } from '#web/lib/text/visible-text.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextViewer } from '#web/ui/text-viewer.tsx'
import { assembleSse, isSse } from './event-stream.ts'

type BodyTextProps = {
  label: string
  body: string | null
  /** Where it was cut, and its whole size. */
  cut: string | null
}

/** A formatted body; streams are assembled, and a missing body links to the setting that stores bodies. */
export const BodyText = ({ label, body, cut }: BodyTextProps) =>
  body === null ? <BodyNotStored label={label} /> : <StoredBody label={label} body={body} cut={cut} />

type StoredBodyProps = BodyTextProps & { body: string }

function StoredBody({ label, body, cut }: StoredBodyProps) {
  const [view, setView] = useState<'formatted' | 'raw'>('formatted')
  const stream = useMemo(() => (isSse(body) ? assembleSse(body) : null), [body])
  const text = useMemo(
    () => visibleText(view === 'raw' ? body : (stream?.text ?? formatJson(body))),
    [body, view, stream],
  )
  const size = formatBytes(new Blob([body]).size)
  return (
    <section>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">
          {label}
          <span className="ml-2 text-xs font-normal text-muted tabular-nums">
            {stream ? `${formatCount(stream.events)} events, ${size}` : size}
          </span>
        </h3>
        <Segmented
          label={`How to show the ${label.toLowerCase()}`}
          value={view}
          onValueChange={setView}
          options={[
            { value: 'formatted', label: stream ? 'Put together' : 'Formatted' },
            { value: 'raw', label: 'Raw' },
          ]}
        />
      </div>
      {cut !== null && (
        <div className="mb-2">
          <Notice tone="warn">Cut at {cut}. The rest was passed on, but not kept.</Notice>
        </div>
      )}
      {text === '' ? (
        <p className="rounded-control border border-dashed border-line p-4 text-muted">No text in it.</p>
      ) : (
        <TextViewer
          key={view}
          label={label.toLowerCase()}
          text={text}
          language={/^\s*[[{]/.test(text) ? 'json' : undefined}
        />
      )}
    </section>
  )
}

const BodyNotStored = ({ label }: { label: string }) => (
  <section>
    <h3 className="mb-2 font-medium">{label}</h3>
    <div className="rounded-control border border-dashed border-line p-4">
      <p className="font-mono">N/A</p>
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
    </div>
  </section>
)
