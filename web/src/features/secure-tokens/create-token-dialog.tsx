import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CreateTokenForm } from './create-token-form.tsx'
import { NewToken } from './new-token.tsx'

/** The button and its dialog, which first asks and then shows the new token, once; the address says whether it is open. */
export function CreateTokenDialog() {
  const { dialog } = useSearch({ from: '/secure-tokens' })
  const navigate = useNavigate({ from: '/secure-tokens' })
  const [token, setToken] = useState<string | null>(null)

  function show(next: boolean) {
    void navigate({ search: next ? { dialog: 'create' } : {}, replace: true, resetScroll: false })
    if (next) setToken(null)
  }

  return (
    <>
      <Button variant="primary" onClick={() => show(true)}>
        <Plus />
        Create Token
      </Button>
      <Dialog
        open={dialog === 'create'}
        onOpenChange={show}
        modal={token === null ? 'dismissable' : 'sticky'}
        title={token === null ? 'Create Secure Token' : 'Your new secure token'}
        description={
          token === null
            ? 'Clients send it as a bearer credential instead of a provider key.'
            : 'Copy it now and keep it in a safe place.'
        }
      >
        {token === null ? (
          <CreateTokenForm onCreated={setToken} onCancel={() => show(false)} />
        ) : (
          <NewToken token={token} onDone={() => show(false)} />
        )}
      </Dialog>
    </>
  )
}
