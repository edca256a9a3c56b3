import { useState } from 'react'

export type ItemDialog<Item> = ReturnType<typeof useItemDialog<Item>>

/** A dialog about one item; the item is kept while the dialog fades out. */
export function useItemDialog<Item>() {
  const [dialog, setDialog] = useState<{ item: Item; open: boolean; key: number } | null>(null)
  return {
    item: dialog?.item,
    /** Changes each time the dialog opens, for a dialog that starts anew. */
    key: dialog?.key,
    open: dialog?.open ?? false,
    show: (item: Item) => setDialog((current) => ({ item, open: true, key: (current?.key ?? 0) + 1 })),
    close: () => setDialog((current) => current && { ...current, open: false }),
  }
}
