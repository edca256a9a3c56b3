import type { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { Skeleton } from './skeleton.tsx'

type JsonEditorProps = {
  label: string
  hint?: string
  /** The error of a blank text; if omitted, the text may be blank. */
  blankError?: string
  value: string
  onValueChange: (value: string) => void
  /** Fixes the height, so that nothing moves when the editor loads. */
  className: string
}

/** A labelled JSON text with highlighting and error marks; its code is loaded when it is first shown. */
export function JsonEditor({ label, hint, blankError, value, onValueChange, className }: JsonEditorProps) {
  const noteId = useId()
  const parent = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView | null>(null)
  const [isPlain, setPlain] = useState(false)
  const change = useEffectEvent(onValueChange)
  const current = useEffectEvent(() => value)
  const error = value.trim() === '' ? (blankError ?? null) : jsonError(value)

  useEffect(() => {
    let created: EditorView | null = null
    let gone = false
    async function load(element: HTMLElement) {
      const { createJsonEditor } = await import('./json-editor-view.ts')
      if (gone) return
      const aria = { 'aria-label': label, 'aria-describedby': noteId }
      created = createJsonEditor({ parent: element, doc: current(), aria, onChange: (doc) => change(doc) })
      setView(created)
    }
    // Without its script, as after an upgrade, the editor is a plain field.
    if (parent.current) load(parent.current).catch(() => setPlain(true))
    return () => {
      gone = true
      created?.destroy()
    }
  }, [label, noteId])

  useEffect(() => {
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [view, value])

  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium" aria-hidden="true">
        {label}
      </span>
      <div
        ref={parent}
        className={classNames(
          'relative overflow-hidden rounded-control border bg-surface focus-within:outline-1 focus-within:outline-accent',
          error === null ? 'border-control focus-within:border-accent' : 'border-danger',
          className,
        )}
      >
        {isPlain && (
          <textarea
            aria-label={label}
            aria-describedby={noteId}
            value={value}
            onChange={(event) => onValueChange(event.target.value)}
            spellCheck={false}
            className="size-full resize-none p-2 font-mono text-base outline-none md:text-xs"
          />
        )}
        {/* Out of the flow, because the editor is briefly beside it. */}
        {!view && !isPlain && <Skeleton className="absolute top-3 left-3 h-3 w-40" />}
      </div>
      <p
        id={noteId}
        aria-live="polite"
        className={classNames('text-xs', error === null ? 'text-muted' : 'text-danger')}
      >
        {error ?? hint ?? ' '}
      </p>
    </div>
  )
}

/** @returns why a text is not JSON; `null` when it is */
function jsonError(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? `Not valid JSON: ${error.message}` : 'Not valid JSON'
  }
}
