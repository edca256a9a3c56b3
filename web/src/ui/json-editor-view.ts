import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'

type JsonEditorOptions = {
  parent: HTMLElement
  doc: string
  /** Name and description for assistive technology. */
  aria: { 'aria-label': string; 'aria-describedby': string }
  onChange: (doc: string) => void
}

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--color-accent)' },
  { tag: tags.string, color: 'var(--color-ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-warn)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--color-fg)', fontSize: '0.75rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono, monospace)', lineHeight: '1.25rem' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--color-fg)', fontVariantLigatures: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--color-fg)' },
  '.cm-gutters': { background: 'transparent', border: 'none' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: 'var(--color-accent-soft) !important',
  },
  '.cm-matchingBracket': { background: 'none !important' },
  '&.cm-focused .cm-matchingBracket': {
    background: 'var(--color-accent-soft) !important',
    outline: '1px solid var(--color-accent)',
  },
  '.cm-tooltip': {
    background: 'var(--color-raised)',
    borderColor: 'var(--color-raised-line)',
    color: 'var(--color-fg)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--color-danger)' },
})

const parseLint = jsonParseLinter()

// An empty text is not an error: no body is sent then.
const lintJson = (view: EditorView): Diagnostic[] => (view.state.doc.toString().trim() === '' ? [] : parseLint(view))

const extensions: Extension = [
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  json(),
  syntaxHighlighting(highlighting),
  lintGutter(),
  linter(lintJson, { delay: 300 }),
  EditorView.lineWrapping,
  keymap.of([...defaultKeymap, ...historyKeymap]),
  theme,
]

/** A JSON editor with highlighting and error marks. Tab moves on, so that the keyboard is never trapped. */
export const createJsonEditor = ({ parent, doc, aria, onChange }: JsonEditorOptions) =>
  new EditorView({
    parent,
    doc,
    extensions: [
      extensions,
      EditorView.contentAttributes.of(aria),
      EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
    ],
  })
