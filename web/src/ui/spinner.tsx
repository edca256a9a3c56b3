import { LoaderCircle } from 'lucide-react'
import { product } from '#schemas/product.ts'
import { classNames } from '#web/lib/text/class-names.ts'

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden="true" className={classNames('size-4 shrink-0 animate-spin', className)} />
)

/** `root`: a screen that is loading may be inside the `main` of the app shell. */
export const FullScreenSpinner = ({ root: Root = 'main' }: { root?: 'main' | 'div' }) => (
  <Root className="grid min-h-dvh place-items-center">
    <title>{product.name}</title>
    <output className="flex items-center gap-2 text-muted">
      <Spinner className="text-accent" />
      Loading...
    </output>
  </Root>
)
