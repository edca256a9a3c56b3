import { useLayoutEffect, useRef, useState } from 'react'

/** Width of the box that a chart is drawn into, px, as it changes; 0 until it is known. */
export function useChartWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    setWidth(element.clientWidth)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
