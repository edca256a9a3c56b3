import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { fontScale } from '#web/lib/browser/font-scale.ts'
import { wrapLines } from '#web/lib/text/wrap-lines.ts'
import { CodeBlock } from './code-block.tsx'
import { CopyButton } from './copy-button.tsx'
import type { CodeLanguage } from './highlighted-code.tsx'

/** Of a line, px in the usual font. */
const rowHeight = 20
/** Up to this length the whole text is in the page, where the browser's search finds it. */
const wholeUpTo = 50_000
/** Of a character of the monospace font, and around the text, px in the usual font. */
const characterWidth = 7.2
const padding = 12

type TextViewerProps = { label: string; text: string; language?: CodeLanguage | undefined }

/** A text of any size: of a large one only the lines in view are drawn. */
export const TextViewer = ({ label, text, language }: TextViewerProps) =>
  text.length <= wholeUpTo ? (
    <CodeBlock label={label} code={text} language={language} wrap tall />
  ) : (
    <LargeText label={label} text={text} />
  )

function LargeText({ label, text }: { label: string; text: string }) {
  const scroller = useRef<HTMLElement>(null)
  const [columns, setColumns] = useState<number | null>(null)
  const [scale] = useState(fontScale)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      setColumns(Math.max(20, Math.floor((element.clientWidth / scale - 2 * padding) / characterWidth)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scale])
  // Not before the width is known, because the text would be wrapped twice.
  const lines = useMemo(() => (columns === null ? null : wrapLines(text, columns)), [text, columns])
  const virtualizer = useVirtualizer({
    count: lines?.count ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight * scale,
    overscan: 20,
    paddingStart: padding * scale,
    paddingEnd: padding * scale,
  })
  return (
    <div className="relative rounded-control border border-line bg-bg">
      <section
        ref={scroller}
        tabIndex={0}
        aria-label={label}
        className="h-105 overflow-auto rounded-control font-mono text-xs leading-5"
      >
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => (
            <pre
              key={item.key}
              translate="no"
              className="absolute inset-x-3 top-0 h-5"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {lines?.line(item.index)}
            </pre>
          ))}
        </div>
      </section>
      <CopyButton text={text} label={`Copy ${label}`} className="absolute top-1 right-3" />
    </div>
  )
}
