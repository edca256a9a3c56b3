export type ToastContent = { title: string; description?: string; destructive?: boolean }
export type ToastState = ToastContent & { id: number; open: boolean }

let current: ToastState | null = null
const listeners = new Set<() => void>()

function publish(next: ToastState | null) {
  current = next
  for (const listener of listeners) listener()
}

/** Shows a toast in place of the one before: one at a time. Source: specification §9, "Toasts". */
export function toast(content: ToastContent) {
  publish({ ...content, id: (current?.id ?? 0) + 1, open: true })
}

export const toastStore = {
  read: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  close: () => {
    if (current) publish({ ...current, open: false })
  },
}
