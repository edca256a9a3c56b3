import { classNames } from '#web/lib/text/class-names.ts'

/** The gate: an arch with a portcullis, in the colour of the text. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={classNames('size-6 shrink-0 text-accent', className)}
    >
      <path d="M3 21V11a9 9 0 0 1 18 0v10" />
      <path d="M8 21V6.5M12 21v-8M16 21V6.5M3 14h18" />
    </svg>
  )
}
