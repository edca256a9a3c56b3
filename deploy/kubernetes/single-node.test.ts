import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { composeFile } from '#deploy/docker/compose-file.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { root } from '#tools/root.ts'
import { folder, parseManifests } from './manifests.ts'

const kubectl = findCommand(['kubectl'])

const StoreSet = z.object({
  kind: z.literal('StatefulSet'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(
          z.object({
            image: z.string(),
            args: z.array(z.string()).optional(),
            volumeMounts: z.array(
              z.object({ name: z.string(), mountPath: z.string(), subPath: z.string().optional() }),
            ),
          }),
        ),
        volumes: z.array(
          z.object({
            name: z.string(),
            configMap: z.object({ name: z.string() }).optional(),
            emptyDir: z.object({ medium: z.string(), sizeLimit: z.string() }).partial().optional(),
          }),
        ),
      }),
    }),
  }),
})

const Egress = z.object({ spec: z.object({ podSelector: z.unknown(), egress: z.array(z.unknown()) }) })

const stores = ['postgres', 'redis-state', 'redis-queue', 'clickhouse']

describe.skipIf(!kubectl)('the stores of the single-node overlay', async () => {
  const manifests = kubectl
    ? parseManifests((await execa(kubectl, ['kustomize', join(folder, 'overlays/single-node')])).stdout)
    : []

  test.each(stores)('%s runs as Compose runs it', (name) => {
    const service = composeFile.services[name]!
    const { template } = manifests
      .flatMap((manifest) => StoreSet.safeParse(manifest).data ?? [])
      .find(({ metadata }) => metadata.name === name)!.spec
    const { volumes, containers } = template.spec
    const [{ image, args, volumeMounts } = {} as (typeof containers)[0]] = containers
    expect(image).toBe(service.image)
    expect(args).toEqual(service.command)

    const volumeAt = (path: string) => {
      const mount = volumeMounts.find(({ mountPath }) => mountPath === path)
      return { mount, volume: volumes.find((each) => each.name === mount?.name) }
    }
    for (const [source = '', target = ''] of service.volumes.map((volume) => volume.split(':'))) {
      if (!source.startsWith('./')) continue
      const { mount, volume } = volumeAt(target)
      const config = manifests.find(({ metadata }) => metadata.name === volume?.configMap?.name)
      // A single file, because the image has others in that folder.
      expect(config?.['data'], target).toEqual({ [mount!.subPath!]: readFileSync(join(root, source), 'utf8') })
    }
    const shared = service['shm_size'] as string | undefined
    const emptyDir = shared && { medium: 'Memory', sizeLimit: shared.replace('m', 'Mi') }
    expect(volumeAt('/dev/shm').volume?.emptyDir).toEqual(emptyDir)
  })

  test('ClickHouse, which writes archives and backups into buckets itself, reaches what a provider is reached by', () => {
    const [buckets, ...others] = ['buckets', 'providers', 'names'].map(
      (name) =>
        Egress.parse(manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)).spec,
    )
    expect(buckets!.podSelector).toEqual({ matchLabels: { 'app.kubernetes.io/name': 'clickhouse' } })
    expect(buckets!.egress).toEqual(others.flatMap(({ egress }) => egress))
  })
})
