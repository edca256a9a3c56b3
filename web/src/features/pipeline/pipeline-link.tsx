import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { currentUserQuery } from '#web/lib/session/session.ts'

/** Shown to operators only. */
export function PipelineLink() {
  const { data: user } = useQuery(currentUserQuery)
  if (!user?.isOperator) return null
  return (
    <Link
      to="/pipeline"
      className="flex h-11 items-center justify-between border-t border-line px-4 font-medium transition-colors hover:bg-bg focus-visible:-outline-offset-2"
    >
      Log Pipeline
      <ChevronRight aria-hidden="true" className="size-4 text-muted" />
    </Link>
  )
}
