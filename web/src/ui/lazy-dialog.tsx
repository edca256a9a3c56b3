import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { toast } from '#web/lib/toast.ts'

type DialogProps = { open: boolean; onClose: () => void }

/** A dialog whose code is loaded when it first opens. From then on it stays mounted, so that it can fade out. */
export function lazyDialog<Props extends DialogProps>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazy(async () => ({ default: await load().catch((): ComponentType<Props> => NotLoaded) }))
  return function LazyDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(props.open)
    if (props.open && !wasOpened) setWasOpened(true)
    return (
      wasOpened && (
        <Suspense>
          <Dialog {...props} />
        </Suspense>
      )
    )
  }
}

/** Replaces a dialog whose script is gone, as after an upgrade: an error would end the screen and what was typed there. */
function NotLoaded({ open, onClose }: DialogProps) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!open) return
    toast({
      title: 'This could not be opened',
      description: 'The gateway may have been upgraded. Save or copy what you have typed, then reload the page.',
      destructive: true,
    })
    close()
  }, [open])
  return null
}
