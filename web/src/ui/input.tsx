import type { ComponentProps } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

// 16 px text on small screens, because phones zoom in on smaller text.
export const controlStyle = classNames(
  'w-full rounded-control border border-control bg-surface px-3 text-base text-fg placeholder:text-muted md:text-sm',
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0',
  'disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger aria-invalid:outline-danger',
)

/** 1Password, LastPass and Bitwarden ignore `autocomplete="off"`. */
const withoutPasswordManagers = { 'data-1p-ignore': true, 'data-lpignore': true, 'data-bwignore': true }

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input
    className={classNames(controlStyle, 'h-11 md:h-9', className)}
    {...(rest.autoComplete === 'off' && withoutPasswordManagers)}
    {...rest}
  />
)

/** Attributes of an input for names, numbers, addresses and secrets rather than words. */
export const codeInput = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  className: 'font-mono',
} as const

/**
 * Attributes of an input for a secret that is not the user's password. Of the type `password`, browsers would offer to
 * save it for this site, and would fill in the user's password.
 */
export const secretInput = { ...codeInput, className: 'font-mono [-webkit-text-security:disc]' } as const
