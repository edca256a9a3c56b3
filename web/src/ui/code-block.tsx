import { classNames } from '#web/lib/class-names.ts'
import { CopyButton } from './copy-button.tsx'

type CodeBlockProps = {
  label: string
  code: string
  /** Breaks long lines and takes more room: for what one reads, not runs. */
  isProse?: boolean
}

/** A text that a machine wrote or reads; scrolls by keyboard too. `label` names it for assistive technology. */
export function CodeBlock({ label, code, isProse = false }: CodeBlockProps) {
  return (
    <div className="relative rounded-control border border-line bg-bg">
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className={classNames('overflow-auto rounded-control p-3 pr-12', isProse ? 'max-h-105' : 'max-h-80')}
      >
        <pre className={classNames('font-mono text-xs leading-5', isProse && 'break-words whitespace-pre-wrap')}>
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} label={`Copy ${label}`} className="absolute top-1 right-1" />
    </div>
  )
}
