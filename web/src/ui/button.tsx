import { Slot } from 'radix-ui'
import type { ComponentProps, MouseEvent } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { Spinner } from './spinner.tsx'

// The transparent borders are visible where the user's own colours replace all fills.
const variants = {
  primary: 'border-transparent bg-accent-fill text-on-accent hover:bg-accent-strong',
  secondary: 'border-raised-line bg-surface text-fg hover:bg-subtle',
  ghost: 'border-transparent text-fg hover:bg-subtle',
  'ghost-danger': 'border-transparent text-muted hover:bg-danger-soft hover:text-danger',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-strong',
}

// 44 px on small screens, where a thumb has to hit them.
const sizes = {
  md: 'h-11 px-4 md:h-9',
  sm: 'h-11 px-3 md:h-8',
  icon: 'size-11 md:size-8',
}

type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  /** Ignores presses, but keeps the focus, which a disabled button loses. */
  unavailable?: boolean
  /** Shown while the button's action is under way, when it is unavailable. */
  pendingText?: string | false
  asChild?: boolean
}

/** Also keeps the button from submitting its form. */
const ignore = (event: MouseEvent) => event.preventDefault()

export function Button({
  variant = 'secondary',
  size = 'md',
  pendingText = false,
  unavailable = false,
  asChild = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const ignoresPresses = unavailable || pendingText !== false
  const style = classNames(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap',
    'transition-colors duration-150 disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
    'aria-disabled:cursor-default aria-disabled:opacity-55',
    variants[variant],
    sizes[size],
    className,
  )
  if (asChild) {
    return (
      <Slot.Root className={style} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button
      type={type}
      className={style}
      aria-disabled={ignoresPresses || undefined}
      onClick={ignoresPresses ? ignore : onClick}
      {...rest}
    >
      {pendingText === false ? (
        children
      ) : (
        <>
          <Spinner />
          {pendingText}
        </>
      )}
    </button>
  )
}
