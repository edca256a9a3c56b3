import { product } from '#schemas/product.ts'
import { Spinner } from './spinner.tsx'

export function FullScreenSpinner() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <title>{product.name}</title>
      <output className="flex items-center gap-2 text-muted">
        <Spinner className="text-accent" />
        Loading...
      </output>
    </main>
  )
}
