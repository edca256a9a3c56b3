import { CopyButton } from './copy-button.tsx'

/** A text that a machine wrote or reads; scrolls by keyboard too. `label` names it for assistive technology. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className="relative rounded-control border border-line bg-bg">
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className="max-h-80 overflow-auto rounded-control p-3 pr-12"
      >
        <pre className="font-mono text-xs leading-5">
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} label={`Copy ${label}`} className="absolute top-1 right-1" />
    </div>
  )
}
