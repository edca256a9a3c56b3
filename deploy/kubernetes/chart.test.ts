import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { version } from '#core/version.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { folder, type Manifest, parseManifests, readResources } from './manifests.ts'

const helm = findCommand(['helm'])
const kubectl = findCommand(['kubectl'])

const ChartFile = z.object({ version: z.string(), appVersion: z.string() })

async function render(...settings: string[]): Promise<Manifest[]> {
  const values = settings.flatMap((setting) => [setting.includes('"') ? '--set-json' : '--set', setting])
  const { stdout } = await execa(helm!, ['template', 'sallyport', folder, '--namespace', 'sallyport', ...values])
  return parseManifests(stdout).toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
}

const keyOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`

/** What keeps the settings of earlier releases; an object of Kustomize stays anyway. */
const kept = { 'helm.sh/resource-policy': 'keep', 'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback' }

/**
 * Removes the settings' hash, which differs between both tools, the release number of the chart's Job, and the
 * annotations that only Helm needs.
 */
const withoutNames = (manifests: readonly Manifest[]): unknown =>
  JSON.parse(
    JSON.stringify(manifests)
      .replaceAll(/"sallyport-settings-[a-z\d]+"/g, '"sallyport-settings"')
      .replaceAll('"sallyport-migrate-1"', '"sallyport-migrate"')
      .replace(`,"annotations":${JSON.stringify(kept)}`, ''),
  )

const find = (manifests: readonly Manifest[], kind: string, name = 'sallyport') =>
  JSON.stringify(manifests.find((each) => each.kind === kind && each.metadata.name.startsWith(name)))

test('the chart has the version of the release', () => {
  const chart = ChartFile.parse(parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')))
  expect(chart).toEqual({ version, appVersion: version })
})

describe.skipIf(!helm)('the Helm chart', () => {
  test.skipIf(!kubectl)('installs what Kustomize does', async () => {
    const { stdout } = await execa(kubectl!, ['kustomize', join(folder, 'base')])
    const others = parseManifests(stdout).filter(({ kind }) => kind !== 'Namespace')
    const sorted = others.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
    expect(withoutNames(await render('route=none'))).toEqual(withoutNames(sorted))
  })

  test.each(['ingress', 'gateway'])('%s: the route of the component, for the host of the values', async (route) => {
    const manifests = await render(`route=${route}`, 'host=gw.example.org')
    const [component] = readResources(`components/${route}`)
    const { kind } = component!
    const renamed = JSON.stringify(component!['spec']).replaceAll('sallyport.example.com', 'gw.example.org')
    expect(manifests.find((each) => each.kind === kind)?.['spec']).toEqual(JSON.parse(renamed))
    expect(find(manifests, 'ConfigMap')).toContain('"PUBLIC_URL":"https://gw.example.org"')
  })

  test('values reach what they are for; changed settings and secrets replace the pods', async () => {
    const manifests = await render(
      'image.tag=9.9.9',
      'proxy.minReplicas=4',
      'proxy.spool.size=20Gi',
      'proxy.spool.maxBytes="17179869184"',
      'proxy.resources.limits.memory=2Gi',
      'worker.maxReplicas=7',
      'api.replicas=5',
      'settings.LOG_LEVEL=debug',
      'podMonitor=true',
    )
    const proxy = find(manifests, 'StatefulSet')
    for (const part of ['sallyport:9.9.9"', '"20Gi"', '"17179869184"', '"memory":"2Gi"', '"cpu":"1"'])
      expect(proxy).toContain(part)
    expect(find(manifests, 'HorizontalPodAutoscaler', 'sallyport-proxy')).toContain('"minReplicas":4')
    expect(find(manifests, 'HorizontalPodAutoscaler', 'sallyport-worker')).toContain('"maxReplicas":7')
    expect(find(manifests, 'Deployment', 'sallyport-api')).toContain('"replicas":5')
    expect(find(manifests, 'PodMonitor')).toBeDefined()
    const settings = [manifests, await render(), await render('secretRevision=2')].map((each) =>
      find(each, 'ConfigMap'),
    )
    expect(settings[0]).toContain('"LOG_LEVEL":"debug"')
    expect(new Set(settings.map((each) => /sallyport-settings-\w+/.exec(each!)?.[0])).size).toBe(3)
  })

  test('pods have the time to drain that the settings give them', async () => {
    const manifests = await render('settings.DRAIN_SECONDS="300"', 'settings.DRAIN_DELAY_SECONDS="15"')
    const pods = [find(manifests, 'StatefulSet'), find(manifests, 'Deployment', 'sallyport-api')]
    for (const pod of pods) expect(pod).toContain('"terminationGracePeriodSeconds":340')
  })

  test('settings stay for the pods that use them, whether a release replaces them or goes back', async () => {
    const settings = (await render()).find(({ kind }) => kind === 'ConfigMap')
    expect(settings?.metadata['annotations']).toEqual(kept)
  })

  test.each([
    ['route=nginx', '/route'],
    ['proxy.minReplicas=0', '/proxy/minReplicas'],
    ['prxy.minReplicas=2', 'prxy'],
    ['settings.logLevel=debug', 'logLevel'],
    ['proxy.spool.size=3GB', '/proxy/spool/size'],
    ['host=https://gw.example.org', '/host'],
    ['image.repository=', '/image/repository'],
  ])('%s does not fit the schema of the values', async (setting, place) => {
    await expect(render(setting)).rejects.toThrow(place)
  })
})
