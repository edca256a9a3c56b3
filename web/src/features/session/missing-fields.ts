import { toast } from '#web/lib/toast.ts'

/** Source: specification §5, "Login" and "Register": the toast is only for what was left empty. */
export function reportMissingFields(required: readonly string[]) {
  if (required.some((value) => value.trim() === '')) {
    toast({ title: 'Missing fields', description: 'Please fill in all required fields.', destructive: true })
  }
}
