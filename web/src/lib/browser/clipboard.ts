import { errorText } from '../text/error-text.ts'
import { toast, type ToastContent } from '../toast.ts'

/** Copies a text, or one that is still being fetched, within the click that asked for it. */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (typeof text !== 'string' && window.isSecureContext && 'ClipboardItem' in window) {
    // Safari allows a write after a fetch only through an item that was created in the click itself.
    const blob = text.then((value) => new Blob([value], { type: 'text/plain' }))
    try {
      return await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    } catch {
      // Either the fetch failed, which the next await reports, or the browser doesn't support deferred items.
    }
  }
  const value = await text
  return window.isSecureContext ? navigator.clipboard.writeText(value) : copyBySelection(value)
}

/** Copies, and reports success or failure in a toast. */
export async function copyWithToast(text: string, done: ToastContent): Promise<boolean> {
  try {
    await copyText(text)
    toast(done)
    return true
  } catch (error) {
    toast({ title: 'Failed to copy', description: errorText(error), destructive: true })
    return false
  }
}

// Browsers offer no clipboard API on plain HTTP, as in a local network.
function copyBySelection(value: string) {
  const area = document.createElement('textarea')
  area.value = value
  area.className = 'sr-only'
  // Focus may not leave an open dialog.
  const place = document.activeElement?.closest('[role=dialog]') ?? document.body
  const focused = document.activeElement
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!copied) throw new Error('The browser did not allow copying.')
}
