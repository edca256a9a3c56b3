import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { OneTimeSecret } from '#web/ui/one-time-secret.tsx'
import { Select } from '#web/ui/select.tsx'
import { newTokenTitles } from './new-token.tsx'
import { rotateTokenMutation } from './secure-tokens-mutations.ts'

const graceTimes = [
  { value: '0', label: 'None: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
] as const

type RotateTokenDialogProps = { token: SecureToken; open: boolean; onClose: () => void }

/** Asks for the grace time, then shows the new secret once. */
export function RotateTokenDialog({ token, open, onClose }: RotateTokenDialogProps) {
  const [graceHours, setGraceHours] = useState<(typeof graceTimes)[number]['value']>('24')
  const { mutate, data, isPending } = useMutation(rotateTokenMutation)
  const titles = data
    ? newTokenTitles
    : { title: 'Rotate secure token', description: `“${visibleLine(token.name)}” gets a new secret, shown once.` }
  return (
    <Dialog
      open={open}
      onClose={() => !isPending && onClose()}
      modal={data || isPending ? 'sticky' : 'dismissable'}
      {...titles}
    >
      {data ? (
        <OneTimeSecret secret={data.token} kind="token" onDone={onClose} />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            mutate({ id: token.id, graceHours: Number(graceHours) })
          }}
        >
          <Field label="Grace Time" hint="How long clients may go on using the current secret. You can end it earlier.">
            {(control) => (
              <Select
                {...control}
                value={graceHours}
                options={graceTimes}
                onValueChange={setGraceHours}
                disabled={isPending}
                className="w-full"
              />
            )}
          </Field>
          {token.previousSecret && (
            <Notice tone="warn">
              The previous secret <code className="font-mono text-xs">{token.previousSecret.token}</code> ends now: a
              token has at most two.
            </Notice>
          )}
          <DialogActions>
            <Button onClick={onClose} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" pendingText={isPending && 'Rotating...'}>
              Rotate Token
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
