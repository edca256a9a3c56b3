import { createStore } from './store.ts'

export type ToastContent = { title: string; description?: string; destructive?: boolean }

export const toastStore = createStore<(ToastContent & { id: number; open: boolean }) | null>(null)

/** Shows a toast in place of the previous one. Source: product.md 9.6. */
export const toast = (content: ToastContent) =>
  toastStore.write({ ...content, id: (toastStore.read()?.id ?? 0) + 1, open: true })

export function closeToast() {
  const current = toastStore.read()
  if (current) toastStore.write({ ...current, open: false })
}
