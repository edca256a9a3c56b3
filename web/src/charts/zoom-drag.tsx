import { DataContext, type EventHandlerParams } from '@visx/xychart'
import { type PointerEvent, useContext, useState } from 'react'
import { positionOn } from './axis-labels.ts'

type Point = { x: number }
type Band = { from: number; to: number }

/** Called with both ends of the dragged range, inclusive, and the position in the window where the drag ended, px. */
export type OnBrush = (from: number, to: number, end: { x: number; y: number }) => void

/** Mouse only: a drag on a touch screen scrolls the page, and the range can also be typed. Other buttons open menus. */
const isMouse = (event: EventHandlerParams<Point>['event']): event is PointerEvent<Element> =>
  event !== undefined && 'pointerType' in event && event.pointerType === 'mouse' && event.button === 0

/** A drag selects a range of the chart, a click a single position. */
export function useZoomDrag(onZoom: OnBrush | undefined, onPick: ((x: number) => void) | undefined) {
  const [band, setBand] = useState<Band | null>(null)
  if (!onZoom && !onPick) return { band: null, handlers: {} }
  return {
    band,
    handlers: {
      onPointerDown: ({ datum, event }: EventHandlerParams<Point>) => {
        if (isMouse(event)) setBand({ from: datum.x, to: datum.x })
      },
      onPointerMove: ({ datum }: EventHandlerParams<Point>) =>
        setBand((current) => current && { ...current, to: datum.x }),
      onPointerOut: () => setBand(null),
      onPointerUp: ({ datum, event }: EventHandlerParams<Point>) => {
        setBand(null)
        if (!isMouse(event)) return
        if (band && onZoom && band.from !== datum.x) {
          onZoom(Math.min(band.from, datum.x), Math.max(band.from, datum.x), { x: event.clientX, y: event.clientY })
        } else onPick?.(datum.x)
      },
    },
  }
}

export function ZoomBand({ band }: { band: Band | null }) {
  const { xScale, margin, innerHeight } = useContext(DataContext)
  if (!band || !xScale || !margin || innerHeight === undefined) return null
  const [left, right] = [band.from, band.to].map((x) => positionOn(xScale, x)).toSorted((a, b) => a - b)
  return (
    <rect
      x={left}
      y={margin.top}
      width={(right ?? 0) - (left ?? 0)}
      height={innerHeight}
      fill="var(--color-accent-fill)"
      fillOpacity={0.15}
      pointerEvents="none"
    />
  )
}
