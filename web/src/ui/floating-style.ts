import { classNames } from '#web/lib/class-names.ts'

/** The surface of everything that floats beside its trigger. */
export const floatingStyle = classNames(
  'z-50 rounded-panel border border-raised-line bg-raised shadow-lg outline-none',
  'data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in',
)

/** One row of a list that floats; 44 px on small screens. */
export const floatingItemStyle = classNames(
  'relative flex min-h-11 cursor-default items-center gap-2 rounded-control px-2 outline-none select-none md:min-h-8',
  'data-[disabled]:opacity-55 data-[highlighted]:bg-subtle dark:data-[highlighted]:bg-zinc-700',
  '[&_svg]:size-4 [&_svg]:shrink-0',
)
