import { CloudOff } from 'lucide-react'
import { reachability } from '#web/lib/reachability.ts'

export function OfflineBanner() {
  const isReachable = reachability.use()
  return (
    <output className="pointer-events-none fixed inset-x-0 top-0 z-60 flex justify-center p-2 empty:hidden">
      {!isReachable && (
        <span className="pointer-events-auto flex items-center gap-2 rounded-panel border border-danger bg-raised px-4 py-2 shadow-xl">
          <CloudOff aria-hidden="true" className="size-4 shrink-0 text-danger" />
          <span>
            <strong className="font-medium">The gateway can’t be reached.</strong>{' '}
            <span className="text-muted">Trying again every 3 seconds.</span>
          </span>
        </span>
      )}
    </output>
  )
}
