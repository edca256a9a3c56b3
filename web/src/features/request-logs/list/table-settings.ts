import { useState } from 'react'
import { z } from 'zod'
import { useStored } from '#web/lib/browser/use-stored.ts'
import { columnIds, defaultVisibility, isHideable } from './log-columns.tsx'

const Settings = z.object({
  columns: z.record(z.string(), z.boolean()),
  density: z.enum(['normal', 'dense']),
  /** From left to right; columns that are not in it come last. */
  order: z.array(z.string()).default([]),
  /** Chosen widths, px. */
  widths: z.record(z.string(), z.number()).default({}),
})
export type TableSettings = z.infer<typeof Settings>

export const initialSettings: TableSettings = { columns: defaultVisibility, density: 'normal', order: [], widths: {} }

export const isShown = ({ columns }: TableSettings, id: string) => columns[id] ?? defaultVisibility[id] ?? true

export const orderedColumns = ({ order }: TableSettings) => [
  ...order.filter((id) => columnIds.includes(id)),
  ...columnIds.filter((id) => !order.includes(id)),
]

/** Names every column, because the table shows those that are not named. */
export const visibility = (settings: TableSettings) =>
  Object.fromEntries(columnIds.map((id) => [id, isShown(settings, id)]))

/** px */
export const [narrowest, widest] = [56, 1_000]

export const resizeColumn = (settings: TableSettings, id: string, width: number): TableSettings => ({
  ...settings,
  widths: { ...settings.widths, [id]: Math.round(Math.max(narrowest, Math.min(widest, width))) },
})

/** Moves a column to the position of another one. */
export function placeColumn(settings: TableSettings, id: string, place: string): TableSettings {
  const order = orderedColumns(settings)
  const to = order.indexOf(place)
  return { ...settings, order: order.filter((each) => each !== id).toSpliced(to, 0, id) }
}

/** @param by 1 for one position to the right, -1 to the left, among the shown columns */
export function moveColumn(settings: TableSettings, id: string, by: 1 | -1): TableSettings {
  const shown = orderedColumns(settings).filter((each) => isShown(settings, each))
  const place = shown[shown.indexOf(id) + by]
  return place === undefined ? settings : placeColumn(settings, id, place)
}

const writeColumns = (ids: readonly string[], widths: TableSettings['widths']) =>
  ids.map((id) => (widths[id] ? `${id}:${widths[id]}` : id)).join(',')

/** The columns as written in a link; `undefined` for the defaults. */
export function columnsText(settings: TableSettings): string | undefined {
  const textOf = (shown: TableSettings) =>
    writeColumns(
      orderedColumns(shown).filter((id) => isShown(shown, id)),
      shown.widths,
    )
  const text = textOf(settings)
  return text === textOf(initialSettings) ? undefined : text
}

/** Whether everything in a link's columns could be read. */
export function areKnownColumns(text: string): boolean {
  const { order, widths } = readColumns(text)
  return text !== '' && text === writeColumns(order, widths)
}

export function readColumns(text: string): Pick<TableSettings, 'columns' | 'order' | 'widths'> {
  const listed = text.split(',').map((entry) => entry.split(':'))
  const order = [...new Set(listed.flatMap(([id]) => (id && columnIds.includes(id) ? [id] : [])))]
  const widths = listed.flatMap(([id, width]) =>
    id && Number(width) >= narrowest && Number(width) <= widest ? [[id, Number(width)] as const] : [],
  )
  return {
    order,
    columns: Object.fromEntries(columnIds.map((id) => [id, order.includes(id) || !isHideable(id)])),
    widths: Object.fromEntries(widths),
  }
}

/** Settings kept in this browser; columns in a link take precedence. */
export function useTableSettings(linked: string | undefined) {
  const [stored, store] = useStored('sallyport.logs.table', Settings, initialSettings)
  const inLink = () => (linked ? { ...stored, ...readColumns(linked) } : stored)
  // Kept as state, because the URL is updated later, and a second change made until then must build on the first.
  const [settings, setSettings] = useState(inLink)
  const [known, setKnown] = useState(linked)
  if (linked !== known) {
    setKnown(linked)
    setSettings(inLink())
  }
  function change(next: TableSettings) {
    setSettings(next)
    store(next)
  }
  return [settings, change] as const
}
