import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import type { CommandGroup } from './command-palette.tsx'

const groupStyle =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted'

type CommandListProps = { groups: readonly CommandGroup[]; onDone: () => void }

/** Loaded when the palette is opened for the first time. */
export const CommandList = ({ groups, onDone }: CommandListProps) => (
  <Command label="Command palette" loop>
    <div className="flex items-center gap-2 border-b border-raised-line px-4">
      <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <Command.Input
        placeholder="Go to a screen or do something"
        className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted md:text-sm"
      />
    </div>
    <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2">
      <Command.Empty className="px-2 py-6 text-center text-muted">Nothing here goes by that name.</Command.Empty>
      {groups.map(({ heading, commands }) => (
        <Command.Group key={heading} heading={heading} className={groupStyle}>
          {commands.map(({ label, icon: Icon, run }) => (
            <Command.Item
              key={label}
              value={label}
              onSelect={() => {
                onDone()
                run()
              }}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2 data-[selected=true]:bg-subtle md:min-h-9 dark:data-[selected=true]:bg-zinc-700"
            >
              <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
              {label}
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </Command.List>
  </Command>
)
