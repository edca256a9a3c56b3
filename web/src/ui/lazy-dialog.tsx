import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { probe } from '#web/lib/reachability.ts'
import { toast } from '#web/lib/toast.ts'

type DialogProps = { open: boolean; onClose: () => void }

/**
 * A dialog whose code is loaded when it first opens. From then on it stays mounted, so that it can fade out. Without its
 * script, as after an upgrade, a toast says so: an error would end the screen and what was typed there.
 */
export function lazyDialog<Props extends DialogProps>(load: () => Promise<ComponentType<Props>>) {
  return function LazyDialog(props: Props) {
    const { open, onClose } = props
    const [Dialog, setDialog] = useState<ComponentType<Props>>()
    const isNeeded = open && Dialog === undefined
    const fail = useEffectEvent(async () => {
      onClose()
      const description = (await probe())
        ? 'The gateway may have been upgraded. Save or copy what you have typed, then reload the page.'
        : 'The gateway can’t be reached. Check the connection and try again.'
      toast({ title: 'This could not be opened', description, destructive: true })
    })
    useEffect(() => {
      if (isNeeded) load().then((loaded) => setDialog(() => loaded), fail)
    }, [isNeeded])
    return Dialog && <Dialog {...props} />
  }
}
