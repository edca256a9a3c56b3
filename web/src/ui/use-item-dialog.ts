import { useState } from 'react'

/** A dialog about one item; the item is kept while the dialog fades out. */
export function useItemDialog<Item>() {
  const [dialog, setDialog] = useState<{ item: Item; open: boolean } | null>(null)
  return {
    item: dialog?.item,
    open: dialog?.open ?? false,
    show: (item: Item) => setDialog({ item, open: true }),
    close: () => setDialog((current) => current && { ...current, open: false }),
  }
}
