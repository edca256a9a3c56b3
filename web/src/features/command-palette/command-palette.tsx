import { Command } from 'cmdk'
import { type LucideIcon, Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { classNames } from '#web/lib/text/class-names.ts'
import { dialogStyle, Modal } from '#web/ui/modal.tsx'
import { optionStyle } from '#web/ui/option-style.ts'

type PaletteCommand = { label: string; icon: LucideIcon; run: () => void }
export type CommandGroup = { heading: string; commands: readonly PaletteCommand[] }

const groupStyle =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted'

type CommandPaletteProps = { groups: readonly CommandGroup[]; open: boolean; onClose: () => void }

/** Every typed word must begin a word of the label: matches are predictable, unlike in a fuzzy search. */
function matches(label: string, typed: string) {
  const words = label.toLowerCase().split(' ')
  const isBeginning = (part: string) => words.some((word) => word.startsWith(part))
  return typed.toLowerCase().split(/\s+/).every(isBeginning) ? 1 : 0
}

export const CommandPalette = ({ groups, open, onClose }: CommandPaletteProps) => (
  <Modal
    open={open}
    onClose={onClose}
    aria-describedby={undefined}
    className={classNames(dialogStyle, 'top-[12dvh] max-w-xl translate-y-0')}
  >
    <Dialog.Title className="sr-only">Command palette</Dialog.Title>
    <Command label="Command palette" filter={matches} loop>
      <div className="flex items-center gap-2 border-b border-raised-line px-4">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <Command.Input
          placeholder="Go to a screen or do something"
          className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted md:text-sm"
        />
      </div>
      <Command.List className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2">
        <Command.Empty className="px-2 py-6 text-center text-muted">Nothing here goes by that name.</Command.Empty>
        {groups.map(({ heading, commands }) => (
          <Command.Group key={heading} heading={heading} className={groupStyle}>
            {commands.map(({ label, icon: Icon, run }) => (
              <Command.Item
                key={label}
                value={label}
                onSelect={() => {
                  onClose()
                  run()
                }}
                className={optionStyle}
              >
                <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
                {label}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  </Modal>
)
