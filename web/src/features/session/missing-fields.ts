import { toast } from '#web/lib/toast.ts'

/** Shows a toast when a required field is empty. Source: product.md 2.4, 2.5. */
export function reportMissingFields(required: readonly string[]) {
  if (required.some((value) => value.trim() === '')) {
    toast({ title: 'Missing fields', description: 'Please fill in all required fields.', destructive: true })
  }
}
