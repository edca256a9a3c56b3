import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useUnsavedEdits } from '#web/lib/unsaved-edits.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { DialogForm, useSafeClose } from './dialog-form.ts'
import { dialogStyle, Modal } from './modal.tsx'

export type DialogContentProps = {
  title: string
  description: ReactNode
  /** Buttons beside `Close`. */
  tools?: ReactNode
  /** Stays visible below the part that scrolls. */
  footer?: ReactNode
  children: ReactNode
}

type DialogProps = DialogContentProps & {
  open: boolean
  onClose: () => void
  size?: 'md' | 'lg' | 'xl'
  /** Keeps a click beside the dialog from closing it. */
  modal?: 'dismissable' | 'sticky'
  /** Closes without a question, whatever was typed, such as a password or a code. */
  discardable?: boolean
}

// The widest one has a fixed height, because its tabs differ in length.
const widths = { md: 'max-w-lg', lg: 'max-w-3xl', xl: 'h-[46rem] max-w-4xl' }

export function Dialog(props: DialogProps) {
  const { open, onClose, size = 'md', modal = 'dismissable', discardable = false, ...content } = props
  const safe = useSafeClose(onClose, !discardable)
  useUnsavedEdits(open && safe.isAtStake)
  return (
    <Modal
      open={open}
      onClose={safe.close}
      onInteractOutside={(event) => modal === 'sticky' && event.preventDefault()}
      className={classNames(dialogStyle, widths[size], 'short:block short:overflow-y-auto')}
    >
      <DialogForm value={safe.setState}>
        <DialogContent {...content} />
      </DialogForm>
    </Modal>
  )
}

export const DialogContent = ({ title, description, tools, footer, children }: DialogContentProps) => (
  <>
    <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
      <div className="min-w-0">
        <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
        <Radix.Description className="mt-0.5 text-muted">{description}</Radix.Description>
      </div>
      <div className="-mt-1 -mr-2 flex shrink-0 items-center gap-1">
        {tools}
        <Radix.Close asChild>
          <IconButton label="Close" icon={<X />} />
        </Radix.Close>
      </div>
    </div>
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-5 pt-1 pb-5 short:overflow-visible">{children}</div>
    {footer}
  </>
)

/** The row of buttons under a dialog's content: the main one last, or first on small screens. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">{children}</div>
)

type FormActionsProps = {
  submitText: string
  /** Shown on the button while the call is under way. */
  pendingText: string | false
  disabled?: boolean
  onCancel: () => void
}

export const FormActions = ({ submitText, onCancel, ...submit }: FormActionsProps) => (
  <DialogActions>
    <Button onClick={onCancel}>Cancel</Button>
    <Button type="submit" variant="primary" {...submit}>
      {submitText}
    </Button>
  </DialogActions>
)
