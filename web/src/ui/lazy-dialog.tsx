import { type ComponentType, lazy, Suspense, useState } from 'react'

/** A dialog whose code is loaded when it first opens. From then on it stays mounted, so that it can fade out. */
export function lazyDialog<Props extends { open: boolean }>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazy(async () => ({ default: await load() }))
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
