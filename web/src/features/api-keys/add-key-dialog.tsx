import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { provider } from '#schemas/product.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { AddKeyForm } from './add-key-form.tsx'

/** The button and the dialog that it opens; the address says whether it is open. */
export function AddKeyDialog() {
  const { dialog } = useSearch({ from: '/api-keys' })
  const navigate = useNavigate({ from: '/api-keys' })
  const open = dialog === 'add'
  const setOpen = (next: boolean) =>
    void navigate({ search: next ? { dialog: 'add' } : {}, replace: true, resetScroll: false })
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
