import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Fits a card on A4 and Letter in portrait, px. Nothing can be measured between `beforeprint` and the print. */
const printedWidth = 640

/** Current width of the chart's container, px; 0 before the first measurement. */
export function useChartWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const fitPaper = () => flushSync(() => setWidth(printedWidth))
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(element)
    window.addEventListener('beforeprint', fitPaper)
    window.addEventListener('afterprint', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', fitPaper)
      window.removeEventListener('afterprint', measure)
    }
  }, [])
  return [box, width] as const
}
