import { root } from '#tools/root.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

/** The fields of a service that the tests read. */
const ComposeService = z.looseObject({
  image: z.string(),
  build: z.looseObject({ dockerfile: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  healthcheck: z.looseObject({}).optional(),
  read_only: z.boolean().default(false),
  restart: z.string(),
  deploy: z.looseObject({}).optional(),
})
export type ComposeService = z.infer<typeof ComposeService>

const ComposeFile = z.looseObject({
  services: z.record(z.string(), ComposeService),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
})

/** docker-compose.yml with its anchors resolved. */
export const composeDocument: unknown = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true })
export const composeFile = ComposeFile.parse(composeDocument)

/** Services that run our image. */
export const ownServices = Object.entries(composeFile.services).filter(([, service]) => service.build)
