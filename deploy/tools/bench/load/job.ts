import { z } from 'zod'

/** A request to repeat. */
export interface LoadRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** One task for the generator process. */
export type Job = LoadRequest &
  (
    | { kind: 'rate' | 'first-byte'; perSecond: number; seconds: number }
    | { kind: 'streams' | 'hold-streams'; count: number }
    | { kind: 'release-streams' }
  )

/** Durations in ms; for streams, those of frames from the provider to the client. */
export const JobResult = z.object({
  completed: z.number(),
  failed: z.number(),
  p50: z.number(),
  p99: z.number(),
  /** Frames that arrived together with the next one. */
  heldBack: z.number(),
})
export type JobResult = z.infer<typeof JobResult>
