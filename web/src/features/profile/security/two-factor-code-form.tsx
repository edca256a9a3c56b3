import { useMutation } from '@tanstack/react-query'
import { encode } from 'uqr'
import { EnableTwoFactor, type TwoFactorSetup } from '#schemas/two-factor.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { FormActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { enableMutation } from './two-factor-mutations.ts'

type TwoFactorCodeFormProps = {
  setup: TwoFactorSetup
  onCodes: (recoveryCodes: string[]) => void
  onCancel: () => void
}

export function TwoFactorCodeForm({ setup, onCodes, onCancel }: TwoFactorCodeFormProps) {
  const form = useZodForm(EnableTwoFactor, { defaultValues: { code: '' } })
  const { mutateAsync, isPending } = useMutation(enableMutation)
  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async ({ code }) => onCodes((await mutateAsync(code)).recoveryCodes)}
      problemFields={{ 'two-factor-invalid': 'code' }}
    >
      <p>Scan this with your authenticator app, or type the key into it. Then enter the code that it shows.</p>
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="text-xs text-muted">Key</p>
          <div className="flex items-center gap-1">
            <code translate="no" className="font-mono text-xs break-all">
              {setup.secret}
            </code>
            <CopyButton text={setup.secret} label="Copy the key" />
          </div>
        </div>
      </div>
      <TextField
        form={form}
        name="code"
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="123456"
        maxLength={7}
        className="max-w-40 font-mono tracking-widest"
      />
      <FormActions submitText="Switch on" pendingText={isPending && 'Checking...'} onCancel={onCancel} />
    </Form>
  )
}

/** Dark on white in both themes, because cameras need that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 rounded-control bg-white"
    >
      <path d={path} fill="#18181b" />
    </svg>
  )
}
