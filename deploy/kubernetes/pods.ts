import { z } from 'zod'
import type { Manifest } from './manifests.ts'

const Labels = z.record(z.string(), z.string())

const Probe = z.looseObject({
  httpGet: z.object({ path: z.string() }).loose().optional(),
  periodSeconds: z.number().default(10),
  timeoutSeconds: z.number().default(1),
  failureThreshold: z.number().default(3),
})

/** The fields of a pod that the tests read. */
const Pod = z.object({
  metadata: z.object({ labels: Labels }),
  spec: z.object({
    securityContext: z.looseObject({}),
    containers: z.array(
      z.object({
        image: z.string(),
        args: z.array(z.string()).default([]),
        env: z.array(z.object({ name: z.string() })).default([]),
        ports: z.array(z.object({ containerPort: z.number() })).default([]),
        resources: z.object({ limits: Labels, requests: Labels.optional() }),
        securityContext: z.looseObject({}),
        startupProbe: Probe.optional(),
        readinessProbe: Probe.optional(),
        livenessProbe: Probe.optional(),
      }),
    ),
  }),
})

/** How objects refer to others. */
export const Selector = z.object({
  selector: z.looseObject({ matchLabels: Labels.optional() }).optional(),
  podSelector: z.object({ matchLabels: Labels.optional() }).loose().optional(),
  scaleTargetRef: z.object({ name: z.string() }).loose().optional(),
})

const Workload = z.object({ template: Pod })

/** @returns the pod of a workload; nothing for other kinds */
export function podsOf({ spec }: Manifest) {
  const parsed = Workload.safeParse(spec)
  if (!parsed.success) return []
  const { metadata, spec: pod } = parsed.data.template
  const variables = pod.containers.flatMap(({ env }) => env.map(({ name }) => name))
  return [{ labels: metadata.labels, spec: pod, variables }]
}
