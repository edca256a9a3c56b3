import { useState } from 'react'
import { visibleLine, visibleText } from '#web/lib/text/visible-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { TextViewer } from '#web/ui/text-viewer.tsx'
import type { Message } from './messages.ts'
import type { Part } from './parts.ts'

const pageSize = 50
/** Longer texts scroll on their own, characters. */
const longText = 4_000

/** The messages of a body. Source: product.md 10.10. */
export function Conversation({ label, messages }: { label: string; messages: readonly Message[] }) {
  const [limit, setLimit] = useState(pageSize)
  const shown = messages.slice(0, limit)
  return (
    <>
      <ol aria-label={`${label} as a conversation`} className="flex flex-col gap-3">
        {shown.map((message, index) => (
          <MessageItem key={index} message={message} />
        ))}
      </ol>
      {messages.length > pageSize && (
        <ShowMore shown={shown.length} total={messages.length} onPress={() => setLimit(limit + pageSize)} />
      )}
    </>
  )
}

function MessageItem({ message: { role, notes, parts } }: { message: Message }) {
  const name = visibleLine(role.charAt(0).toUpperCase() + role.slice(1))
  return (
    <li className="rounded-control border border-line">
      <div className="flex items-center gap-2 border-b border-line bg-bg py-1 pr-1 pl-3 text-xs">
        <span className="font-semibold">{name}</span>
        <span className="min-w-0 flex-1 truncate text-muted">{visibleLine(notes.join(', '))}</span>
        <CopyButton text={parts.map(plainText).join('\n\n')} label={`Copy message: ${name}`} />
      </div>
      <div className="flex flex-col gap-3 px-3 py-2.5">
        {parts.length === 0 && <p className="text-muted">No text in it.</p>}
        {parts.map((part, index) => (
          <PartView key={index} part={part} />
        ))}
      </div>
    </li>
  )
}

const plainText = (part: Part): string => {
  if (part.kind === 'result') return part.parts.map(plainText).join('\n\n')
  return part.kind === 'call' ? `${part.name}(${part.text})` : part.text
}

function PartView({ part }: { part: Part }) {
  if (part.kind === 'text') return <Text text={part.text} />
  if (part.kind === 'other') return <TextViewer label="other content" text={visibleText(part.text)} language="json" />
  if (part.kind === 'attachment') {
    return (
      <p className="rounded-control border border-dashed border-line px-3 py-2 font-mono text-xs break-all text-muted">
        {visibleLine(part.text)}
      </p>
    )
  }
  if (part.kind === 'call') {
    return (
      <div>
        <Labelled label="Calls" name={part.name} />
        <CodeBlock label={`arguments of ${part.name}`} code={visibleText(part.text)} language="json" wrap />
      </div>
    )
  }
  if (part.kind === 'result') {
    return (
      <div className="flex flex-col gap-2">
        <Labelled label="Result" />
        {part.parts.map((each, index) => (
          <PartView key={index} part={each} />
        ))}
      </div>
    )
  }
  return (
    <div className={part.kind === 'reasoning' ? 'text-muted' : undefined}>
      {part.kind === 'refusal' ? <Labelled label="Refusal" tone="danger" /> : <Labelled label="Reasoning" />}
      <Text text={part.text} />
    </div>
  )
}

const Labelled = ({ label, tone, name }: { label: string; tone?: 'danger'; name?: string }) => (
  <p className="mb-1.5 flex items-center gap-2">
    <Badge tone={tone}>{label}</Badge>
    {name !== undefined && <span className="truncate font-mono text-xs">{visibleLine(name)}</span>}
  </p>
)

function Text({ text }: { text: string }) {
  const shown = visibleText(text)
  if (shown.length > longText) return <TextViewer label="message" text={shown} />
  return <p className="wrap-anywhere whitespace-pre-wrap">{shown}</p>
}
