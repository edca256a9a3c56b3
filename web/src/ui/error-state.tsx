import { RotateCw, TriangleAlert } from 'lucide-react'
import { errorText } from '#web/lib/text/error-text.ts'
import { Button } from './button.tsx'
import { useFocusHeir } from './use-focus-heir.ts'

type ErrorStateProps = { title: string; error: unknown; onRetry: () => void }

export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const box = useFocusHeir<HTMLDivElement>('[role=dialog], main')
  return (
    <div ref={box} role="alert" className="flex flex-col items-center px-6 py-10 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-full bg-danger-soft text-danger">
        <TriangleAlert aria-hidden="true" className="size-5" />
      </span>
      <p className="font-medium">{title}</p>
      <p className="mt-1 max-w-sm text-balance break-words text-muted">{errorText(error)}</p>
      <Button size="sm" className="mt-4" onClick={onRetry}>
        <RotateCw />
        Try again
      </Button>
    </div>
  )
}
