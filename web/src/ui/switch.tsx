import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { useKeptFocus } from './use-kept-focus.ts'

// The padding around the track makes the target 44 px high on small screens.
export function Switch(props: Omit<ComponentProps<typeof Radix.Root>, 'className' | 'ref'>) {
  const ref = useKeptFocus<HTMLButtonElement>(props.disabled ?? false)
  return (
    <Radix.Root
      ref={ref}
      className="group -m-1 inline-flex shrink-0 items-center rounded-full p-1 py-3 disabled:cursor-not-allowed disabled:opacity-55 md:py-1"
      {...props}
    >
      <span className="block h-5 w-9 rounded-full bg-control p-0.5 forced-color-adjust-none transition-colors group-data-[state=checked]:bg-accent-fill">
        <Radix.Thumb className="block size-4 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4 dark:data-[state=checked]:bg-zinc-950" />
      </span>
    </Radix.Root>
  )
}
