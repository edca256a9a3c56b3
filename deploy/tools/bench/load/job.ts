import { z } from 'zod'

/** What is sent again and again. */
export interface LoadRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** What the generator process is asked to do. */
export type Job = LoadRequest &
  (
    | { kind: 'rate'; perSecond: number; seconds: number }
    | { kind: 'first-byte'; perSecond: number; seconds: number }
    | { kind: 'closed'; connections: number; seconds: number }
    | { kind: 'streams'; count: number }
    | { kind: 'hold-streams'; count: number }
    | { kind: 'release-streams' }
  )

/** Durations ms. Of streams the durations are those of frames, from the provider's hand to the client's. */
export const JobResult = z.object({
  completed: z.number(),
  failed: z.number(),
  p50: z.number(),
  p99: z.number(),
  /** Frames that came only together with the next one, or later. */
  heldBack: z.number(),
})
export type JobResult = z.infer<typeof JobResult>
