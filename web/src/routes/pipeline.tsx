import { createFileRoute, notFound } from '@tanstack/react-router'
import { pipelineQuery } from '#web/features/pipeline/pipeline-queries.ts'
import { PipelineScreen } from '#web/features/pipeline/pipeline-screen.tsx'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/pipeline')({
  beforeLoad: requireUser,
  // For everybody but operators there is no such page.
  loader: async ({ context }) => {
    if ((await context.queryClient.ensureQueryData(pipelineQuery)) === null) throw notFound()
  },
  component: PipelineScreen,
})
