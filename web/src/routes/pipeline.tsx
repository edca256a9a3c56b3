import { createFileRoute, notFound } from '@tanstack/react-router'
import { pipelineQuery } from '#web/features/pipeline/pipeline-queries.ts'
import { PipelineScreen } from '#web/features/pipeline/pipeline-screen.tsx'

export const Route = createFileRoute('/pipeline')({
  // Only operators find this page.
  beforeLoad: ({ context }) => {
    if (!context.user?.isOperator) throw notFound()
  },
  loader: ({ context }) => void context.queryClient.prefetchQuery(pipelineQuery),
  component: PipelineScreen,
})
