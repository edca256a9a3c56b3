import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'

type SegmentedProps<Value extends string> = {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode }[]
}

/** A choice between two or three views of the same thing. */
export function Segmented<Value extends string>({ label, value, onValueChange, options }: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
      className="inline-flex shrink-0 rounded-control border border-control bg-surface p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="inline-flex h-10 items-center gap-1.5 rounded-[4px] px-3 font-medium text-muted transition-colors hover:text-fg data-[state=on]:bg-subtle data-[state=on]:text-fg md:h-7.5 [&_svg]:size-4"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
