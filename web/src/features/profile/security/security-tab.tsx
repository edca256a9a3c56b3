import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AuditCard } from './audit-card.tsx'
import { ManagementKeysCard } from './management-keys-card.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'
import { deleteAccountMutation } from '../profile-mutations.ts'

/** The cards of product.md 10.16 come first. */
export const SecurityTab = () => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <div className="flex min-w-0 flex-col gap-6">
      <PasswordForm />
      <DangerZone />
    </div>
    <div className="flex min-w-0 flex-col gap-6">
      <TwoFactorCard />
      <SessionsCard />
    </div>
    <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
      <ManagementKeysCard />
      <AuditCard />
    </div>
  </div>
)

function DangerZone() {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, isSuccess } = useMutation(deleteAccountMutation)
  return (
    <Card title="Danger Zone" className="border-danger/40!">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="max-w-sm flex-1 basis-56 text-muted">
          Deletes your account and all that belongs to it, for good.
        </p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete Account
        </Button>
      </div>
      <AlertDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Are you absolutely sure?"
        description="This can’t be undone. It permanently deletes your account and removes your API keys, secure tokens, request logs and subscription information."
        actionText="Delete Account"
        pendingText={(isPending || isSuccess) && 'Deleting...'}
        onConfirm={() => mutate()}
      />
    </Card>
  )
}
