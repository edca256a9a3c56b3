import { Command } from 'cmdk'
import { Check, ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { controlStyle } from './input.tsx'
import { optionStyle } from './option-style.ts'
import { Popover } from './popover.tsx'

type SearchSelectProps = Pick<ComponentProps<'button'>, 'id' | 'aria-invalid' | 'aria-describedby'> & {
  /** Name of the list. */
  label: string
  placeholder: string
  /** The chosen option's label: it may be on no page that was loaded. */
  text: string
  value: string
  /** Those that match the search. */
  options: readonly { value: string; label: string }[]
  onValueChange: (value: string) => void
  search: string
  onSearch: (search: string) => void
  /** What there is instead of options. */
  empty: string
  note: ReactNode
}

/** A select for more options than a list can show: whoever uses it does the search. */
export function SearchSelect(props: SearchSelectProps) {
  const { label, placeholder, text, value, options, onValueChange, search, onSearch, empty, note, ...control } = props
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(value)
  // Of options that arrive later, the first one is active.
  const isShown = options.some((option) => option.value === active)

  function change(next: boolean) {
    setOpen(next)
    setActive(value)
    if (!next) onSearch('')
  }

  return (
    <div className="relative">
      <Popover
        label={label}
        open={open}
        onOpenChange={change}
        className="w-72 max-w-[calc(100vw-1rem)] p-0!"
        trigger={
          <button
            {...control}
            type="button"
            // The label would be read without the chosen option.
            aria-describedby={classNames(`${id}-text`, control['aria-describedby'])}
            className={classNames(controlStyle, 'flex h-11 items-center justify-between gap-2 pr-2.5 text-left md:h-9')}
          >
            <span id={`${id}-text`} className="truncate">
              {text}
            </span>
            <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
          </button>
        }
      >
        <Command
          label={label}
          shouldFilter={false}
          loop
          value={isShown ? active : (options[0]?.value ?? '')}
          onValueChange={setActive}
        >
          <Command.Input
            value={search}
            onValueChange={onSearch}
            placeholder={placeholder}
            maxLength={200}
            className="h-11 w-full border-b border-raised-line bg-transparent px-3 text-base outline-none placeholder:text-muted md:text-sm"
          />
          <Command.List label={label} className="max-h-72 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-6 text-center text-muted">{empty}</Command.Empty>
            {options.map((option) => (
              <Command.Item
                key={option.value}
                value={option.value}
                onSelect={() => {
                  onValueChange(option.value)
                  change(false)
                }}
                className={optionStyle}
              >
                <span className="min-w-0 flex-1 truncate">{option.label}</span>
                {option.value === value && <Check aria-label="Chosen" className="size-4 shrink-0 text-accent" />}
              </Command.Item>
            ))}
          </Command.List>
        </Command>
        <output className="block border-t border-raised-line px-3 py-2 text-xs text-muted empty:hidden">{note}</output>
      </Popover>
    </div>
  )
}
