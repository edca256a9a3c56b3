import { Plus } from 'lucide-react'
import { useState } from 'react'
import { provider } from '#schemas/product.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { AddKeyForm } from './add-key-form.tsx'

/** The button and the dialog that it opens. */
export function AddKeyDialog() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus />
        Add API Key
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Add API Key"
        description={`A key of your ${provider.name} account. It is stored encrypted and only ever shown masked.`}
      >
        <AddKeyForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}
