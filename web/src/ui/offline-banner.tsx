import { CloudOff, Hourglass } from 'lucide-react'
import type { ReactNode } from 'react'
import { reachability, slowCalls } from '#web/lib/reachability.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { Button } from './button.tsx'

/** Shown while the gateway can't be reached, or takes long to respond to a call. */
export function OfflineBanner() {
  const isReachable = reachability.use()
  const isSlow = slowCalls.use() > 0
  return (
    <output className="pointer-events-none fixed inset-x-0 top-0 z-60 flex justify-center p-2 empty:hidden">
      {isReachable ? (
        isSlow && (
          <Message className="border-warn" icon={<Hourglass aria-hidden="true" className="text-warn" />}>
            <strong className="font-medium">The gateway has not responded for 10 seconds.</strong>{' '}
            <span className="text-muted">Still waiting for it.</span>{' '}
            <Button size="sm" onClick={() => location.reload()}>
              Reload
            </Button>
          </Message>
        )
      ) : (
        <Message className="border-danger" icon={<CloudOff aria-hidden="true" className="text-danger" />}>
          <strong className="font-medium">The gateway can’t be reached.</strong>{' '}
          <span className="text-muted">Trying again every 3 seconds.</span>
        </Message>
      )}
    </output>
  )
}

const Message = ({ className, icon, children }: { className: string; icon: ReactNode; children: ReactNode }) => (
  <span
    className={classNames(
      'pointer-events-auto flex items-center gap-2 rounded-panel border bg-raised px-4 py-2 shadow-xl [&>svg]:size-4 [&>svg]:shrink-0',
      className,
    )}
  >
    {icon}
    <span>{children}</span>
  </span>
)
