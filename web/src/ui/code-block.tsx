import { lazy, Suspense } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { CopyButton } from './copy-button.tsx'
import type { CodeLanguage } from './highlighted-code.tsx'

type Code = { code: string; language: CodeLanguage }

// Without its script, as after an upgrade, code stays plain: an error would end the screen.
const HighlightedCode = lazy(async () => ({
  default: await import('./highlighted-code.tsx').then(
    (loaded) => loaded.HighlightedCode,
    () =>
      ({ code }: Code) =>
        code,
  ),
}))

/** Longer texts take too long to highlight, in characters. */
const longestHighlighted = 100_000

type CodeBlockProps = {
  label: string
  code: string
  /** The text that the button copies instead, such as the code with its credential unmasked. */
  copied?: string
  language?: CodeLanguage | undefined
  wrap?: boolean
  /** Allows a greater height, for a block that is the main content of its screen. */
  tall?: boolean
}

/** Code or raw data; scrolls by keyboard, too. `label` names it for assistive technology. */
export function CodeBlock({ label, code, copied = code, language, wrap = false, tall = false }: CodeBlockProps) {
  return (
    <div className="flex items-start rounded-control border border-line bg-bg">
      <section
        tabIndex={0}
        aria-label={label}
        className={classNames('min-w-0 flex-1 overflow-auto rounded-control p-3 pr-0', tall ? 'max-h-105' : 'max-h-80')}
      >
        <pre
          translate="no"
          className={classNames('font-mono text-xs leading-5', wrap && 'break-words whitespace-pre-wrap')}
        >
          <code>
            {language && code.length <= longestHighlighted ? (
              <Suspense fallback={code}>
                <HighlightedCode code={code} language={language} />
              </Suspense>
            ) : (
              code
            )}
          </code>
        </pre>
      </section>
      <CopyButton text={copied} label={`Copy ${label}`} className="md:m-1" />
    </div>
  )
}
