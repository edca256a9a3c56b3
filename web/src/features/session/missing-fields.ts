import { toast } from '#web/lib/toast.ts'

/** The toast is only for what was left empty. Source: product.md 2.4, 2.5. */
export function reportMissingFields(required: readonly string[]) {
  if (required.some((value) => value.trim() === '')) {
    toast({ title: 'Missing fields', description: 'Please fill in all required fields.', destructive: true })
  }
}
