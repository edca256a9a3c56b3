import { useLayoutEffect, useRef, useState } from 'react'

/** Width that fits a card on A4 and Letter in portrait, px. */
const printedWidth = 640

/** Current width of the chart's container, px; 0 before the first measurement. */
export function useChartWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    let isPrinting = false
    let drawnWidth = 0
    const measure = () => {
      if (isPrinting) return
      drawnWidth = element.clientWidth
      setWidth(drawnWidth)
    }
    // A chart needs several renders to redraw itself, and printing doesn't wait for them.
    const shrink = () => {
      isPrinting = true
      element.style.zoom = String(Math.min(1, printedWidth / Math.max(1, drawnWidth)))
    }
    const restore = () => {
      isPrinting = false
      element.style.zoom = ''
      measure()
    }
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(element)
    window.addEventListener('beforeprint', shrink)
    window.addEventListener('afterprint', restore)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', shrink)
      window.removeEventListener('afterprint', restore)
    }
  }, [])
  return [box, width] as const
}
