import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'

type SwitchProps = Omit<ComponentProps<typeof Radix.Root>, 'className'> & {
  /** Ignores presses, but keeps the focus, which a disabled switch loses. */
  unavailable?: boolean
}

// The padding around the track makes the target 44 px high on small screens.
export const Switch = ({ unavailable, onCheckedChange, ...rest }: SwitchProps) => (
  <Radix.Root
    aria-disabled={unavailable || undefined}
    onCheckedChange={unavailable ? undefined : onCheckedChange}
    className="group -m-1 inline-flex shrink-0 items-center rounded-full p-1 py-3 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-default aria-disabled:opacity-55 md:py-1"
    {...rest}
  >
    <span className="block h-5 w-9 rounded-full bg-control p-0.5 forced-color-adjust-none transition-colors group-data-[state=checked]:bg-accent-fill">
      <Radix.Thumb className="block size-4 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4 dark:data-[state=checked]:bg-zinc-950" />
    </span>
  </Radix.Root>
)
