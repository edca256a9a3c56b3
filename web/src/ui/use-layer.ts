import { useEffect, useEffectEvent } from 'react'
import { addLayer } from '#web/lib/layers.ts'

/** Back and Escape close what is open before anything under it. */
export function useLayer(open: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => (open ? addLayer(() => close()) : undefined), [open])
}
