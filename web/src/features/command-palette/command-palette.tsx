import type { LucideIcon } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { lazy, Suspense } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { dialogStyle, scrimStyle } from '#web/ui/dialog.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

const CommandList = lazy(async () => ({ default: (await import('./command-list.tsx')).CommandList }))

export type Command = { label: string; icon: LucideIcon; run: () => void }
export type CommandGroup = { heading: string; commands: readonly Command[] }

type CommandPaletteProps = {
  groups: readonly CommandGroup[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Every screen and action within reach of the keyboard. */
export const CommandPalette = ({ groups, open, onOpenChange }: CommandPaletteProps) => (
  <Dialog.Root open={open} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Overlay className={scrimStyle} />
      <Dialog.Content
        aria-describedby={undefined}
        className={classNames(dialogStyle, 'top-[12dvh] max-w-xl translate-y-0')}
      >
        <Dialog.Title className="sr-only">Command palette</Dialog.Title>
        <Suspense fallback={<Spinner className="m-4" />}>
          <CommandList groups={groups} onDone={() => onOpenChange(false)} />
        </Suspense>
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
)
