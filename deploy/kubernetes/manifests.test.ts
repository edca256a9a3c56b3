import { existsSync, readFileSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { remember } from '#core/remember.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { imageVariables, serviceVariables } from '#deploy/docker/service-variables.ts'
import { findUnknownFields, moduleOf } from './known-fields.ts'
import {
  components,
  folder,
  type Manifest,
  overlays,
  parseManifests,
  readKustomization,
  readPatches,
  readResources,
} from './manifests.ts'
import { podsOf, Selector } from './pods.ts'

const base = readResources('base')
const kubectl = findCommand(['kubectl'])

/** With this pod, which listens on port 8089, cert-manager proves that it has the host name. */
const solver: { labels: Record<string, string> } = { labels: { 'acme.cert-manager.io/http01-solver': 'true' } }

interface Model {
  validate(): void
}

/** @throws Error with the violations of the kind's JSON schema */
async function validate(manifest: Manifest): Promise<void> {
  const models: Record<string, new (data: Manifest) => Model> = await import(moduleOf(manifest))
  try {
    new models[manifest.kind]!(manifest).validate()
  } catch (error) {
    throw new Error(`${manifest.kind} ${manifest.metadata.name} is not valid`, { cause: error })
  }
}

/** The applied manifests: rendered by kubectl if available, else the files as they are. */
const rendered = remember(async (path): Promise<readonly Manifest[]> => {
  if (!kubectl || components.includes(path)) return path === 'base' ? base : [...base, ...readResources(path)]
  const { stdout } = await execa(kubectl, ['kustomize', join(folder, path)])
  return parseManifests(stdout)
})

const paths = ['base', ...components, ...overlays]

test('manifests have only fields that Kubernetes knows, and one that it does not know is found', async () => {
  const [namespace] = base
  const manifests = (await Promise.all(paths.map(rendered))).flat()
  const output = await findUnknownFields([...manifests, { ...namespace!, metadata: { name: 'a', lables: {} } }])
  expect(output).toContain('lables')
  expect(output.match(/error TS/g), output).toHaveLength(1)
})

describe.each(paths)('%s', (path) => {
  test('its files exist', () => {
    const { resources, components: parts, configMapGenerator, patches } = readKustomization(path)
    const contents = configMapGenerator.flatMap((generator) => [...generator.envs, ...generator.files])
    const files = [...resources, ...parts, ...contents, ...patches.flatMap((patch) => patch.path ?? [])]
    expect(files.filter((file) => !existsSync(join(folder, path, file)))).toEqual([])
  })

  test('every manifest fits the schema of its kind', async () => {
    for (const manifest of await rendered(path)) await validate(manifest)
  })

  test('each patch changes something that is there', () => {
    const names = base.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    for (const { kind, metadata } of readPatches(path)) expect(names).toContain(`${kind} ${metadata.name}`)
  })

  test('selectors, services, budgets, policies and scalers find what they are for', async () => {
    const manifests = await rendered(path)
    const pods = [...manifests.flatMap(podsOf), solver]
    const workloads = new Set(manifests.filter((each) => podsOf(each).length > 0).map(({ metadata }) => metadata.name))
    for (const manifest of manifests) {
      const { selector, podSelector, scaleTargetRef } = Selector.parse(manifest['spec'] ?? {})
      const labels = podSelector?.matchLabels ?? selector?.matchLabels ?? (manifest.kind === 'Service' ? selector : {})
      const found = pods.filter((pod) =>
        Object.entries(labels ?? {}).every(([key, value]) => pod.labels[key] === value),
      )
      expect(found.length, `${manifest.kind} ${manifest.metadata.name}`).toBeGreaterThan(0)
      if (scaleTargetRef) expect(workloads).toContain(scaleTargetRef.name)
    }
  })

  test('config maps exist, variables are known, secrets are those that the documentation makes', async () => {
    const manifests = await rendered(path)
    const text = JSON.stringify(manifests)
    const configMaps = manifests.filter(({ kind }) => kind === 'ConfigMap')
    const namedBy = (field: string) =>
      [...text.matchAll(new RegExp(`"${field}":\\{"name":"([^"]+)"`, 'g'))].map(([, name]) => name!)
    const ofVariables = namedBy('configMapRef')
    const names = configMaps.map(({ metadata }) => metadata.name)
    expect(new Set([...ofVariables, ...namedBy('configMap')])).toEqual(new Set(names))
    const settings = configMaps
      .filter(({ metadata }) => ofVariables.includes(metadata.name))
      .flatMap(({ data }) => Object.keys(data as object))
    const ownPods = manifests.flatMap(podsOf).filter((pod) => pod.labels['app.kubernetes.io/name'] === 'sallyport')
    const set = ownPods.flatMap(({ variables }) => variables)
    const known = [...serviceVariables, ...imageVariables]
    expect([...settings, ...set].filter((name) => !known.includes(name))).toEqual([])

    const documentation = readFileSync(join(folder, '../README.md'), 'utf8')
    const secrets = [...text.matchAll(/"secretName":"([^"]+)"/g)].map(([, name]) => name!)
    const isMade = (name: string) => new RegExp(`secret (?:generic|tls) ${name} `).test(documentation)
    expect(secrets.filter((name) => !isMade(name))).toEqual([])
  })

  test('images are pinned; containers have limits and no rights; the image knows its ports', async () => {
    const dockerfile = readFileSync(join(folder, '../docker/Dockerfile'), 'utf8')
    for (const pod of (await rendered(path)).flatMap(podsOf)) {
      expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      for (const { image, ports, resources, securityContext, args } of pod.spec.containers) {
        if (kubectl && !components.includes(path)) expect(image).toMatch(/:v?\d+\.\d+/)
        expect(resources.limits['memory']).toBeDefined()
        expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })
        if (pod.labels['app.kubernetes.io/name'] !== 'sallyport') continue
        expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true })
        for (const { containerPort } of ports)
          expect(dockerfile).toMatch(new RegExp(`(?:^|_| )PORT=${containerPort}\\b`))
        for (const script of args) expect(existsSync(join(folder, '../..', script)), script).toBe(true)
      }
    }
  })
})

test('probes ask for what they decide: whether a rollout goes on, who gets requests, and who is killed', () => {
  const containers = base.flatMap(podsOf).flatMap(({ spec }) => spec.containers.filter(({ ports }) => ports.length > 0))
  expect(containers).toHaveLength(3)
  for (const { startupProbe, readinessProbe, livenessProbe } of containers) {
    const probes = [startupProbe!, readinessProbe!, livenessProbe!]
    expect(probes.map(({ httpGet }) => httpGet?.path)).toEqual(['/startupz', '/readyz', '/healthz'])
    // The checks of a group of processes take up to 4 s.
    for (const { timeoutSeconds } of probes) expect(timeoutSeconds).toBeGreaterThan(4)
    const patience = ({ periodSeconds, failureThreshold }: (typeof probes)[0]) => periodSeconds * failureThreshold
    // A container that ran for 10 minutes restarts without a long pause.
    expect(patience(startupProbe!)).toBeGreaterThan(600)
    expect(patience(livenessProbe!)).toBeGreaterThanOrEqual(60)
  }
})

test.each(['components/ingress', 'components/gateway'])(
  '%s sends the paths of the provider to the proxy and all others to the api',
  (path) => {
    const [route] = readResources(path)
    expect(JSON.stringify(route)).toMatch(/"\/api\/proxy\/v1".*"sallyport-proxy".*"\/".*"sallyport-api"/)
  },
)

test.skipIf(!kubectl)(
  'Secrets from files have a hash in their names, so that changed ones replace the pods',
  async () => {
    const copy = temporaryFolder()
    await cp(folder, copy, { recursive: true })
    const secrets = join(copy, 'components/secrets')
    const overlay = join(copy, 'overlays/production')
    await execa(process.execPath, [join(folder, '../docker/make-secrets.js'), secrets])
    const kustomization = join(overlay, 'kustomization.yaml')
    const text = await readFile(kustomization, 'utf8')
    await writeFile(kustomization, text.replace('components:', 'components:\n  - ../../components/secrets'))

    const render = async () => {
      const { stdout } = await execa(kubectl!, ['kustomize', overlay])
      const names = (pattern: RegExp) => new Set([...stdout.matchAll(pattern)].map(([, name]) => name))
      return {
        made: names(/kind: Secret\nmetadata:.*?\n  name: (\S+)/gs),
        read: names(/secretName: (sallyport-(?!tls)\S+)/g),
      }
    }
    const before = await render()
    const moved = join(secrets, 'app/REDIS_STATE_URL')
    await rm(moved)
    await writeFile(moved, 'redis://moved:6379')
    const after = await render()
    for (const { made, read } of [before, after]) expect(read).toEqual(made)
    expect(before.made.size).toBe(2)
    // Only the changed one has a new name.
    expect(new Set([...before.made, ...after.made]).size).toBe(3)
  },
)

test('PodMonitors name ports and labels that the pods have', () => {
  const [monitor] = readResources('components/pod-monitor')
  expect(monitor).toMatchObject({
    spec: { jobLabel: 'app.kubernetes.io/name', podMetricsEndpoints: [{ port: 'metrics' }] },
  })
  const proxy = base.find(({ kind }) => kind === 'StatefulSet')
  expect(JSON.stringify(proxy)).toContain('{"name":"metrics","containerPort":9464}')
})

test.skipIf(!kubectl).each(overlays)(
  '%s: autoscalers act before a process, which is one thread, has no CPU left',
  async (path) => {
    const manifests = await rendered(path)
    const scalers = manifests.flatMap((manifest) => Autoscaler.safeParse(manifest).data?.spec ?? [])
    for (const { scaleTargetRef, metrics } of scalers) {
      const [pod] = podsOf(
        manifests.find(({ metadata, kind }) => metadata.name === scaleTargetRef.name && kind === scaleTargetRef.kind)!,
      )
      const request = pod!.spec.containers[0]!.resources.requests!['cpu']!
      const cpus = request.endsWith('m') ? Number.parseInt(request, 10) / 1_000 : Number(request)
      expect((cpus * metrics[0]!.resource!.target.averageUtilization) / 100, scaleTargetRef.name).toBeLessThan(0.8)
    }
  },
)

const Autoscaler = z.object({
  kind: z.literal('HorizontalPodAutoscaler'),
  spec: z.object({
    scaleTargetRef: z.object({ kind: z.string(), name: z.string() }),
    metrics: z.array(
      z.object({ resource: z.object({ target: z.object({ averageUtilization: z.number() }) }).optional() }),
    ),
  }),
})

const NetworkPolicy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.looseObject({
    podSelector: z.looseObject({ matchLabels: z.record(z.string(), z.string()).optional() }),
    policyTypes: z.array(z.string()),
    egress: z
      .array(z.looseObject({ ports: z.array(z.object({ port: z.union([z.number(), z.string()]) })) }))
      .default([]),
  }),
})

test("an ingress controller reaches cert-manager's solver as it reaches the services", () => {
  const [services, certificates] = ['http-from-ingress', 'certificates'].map((name) =>
    JSON.stringify(base.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)?.['spec']),
  )
  const [from] = /"ingress":\[\{"from":.+"ports"/.exec(services!)!
  expect(certificates).toContain(`{"podSelector":{"matchLabels":${JSON.stringify(solver.labels)}}`)
  expect(certificates).toContain(`${from}:[{"protocol":"TCP","port":8089}]`)
})

test('nothing goes in or out that no policy names, and the world is reached by those who have to', () => {
  const policies = base.flatMap((manifest) => NetworkPolicy.safeParse(manifest).data?.spec ?? [])
  expect(policies.find(({ podSelector }) => Object.keys(podSelector).length === 0)?.policyTypes).toEqual([
    'Ingress',
    'Egress',
  ])
  const portsOf = (port: number) =>
    policies.filter(({ egress }) => egress.some(({ ports }) => ports.some((each) => each.port === port)))
  const [world] = portsOf(443)
  expect(JSON.stringify(world)).toContain('"values":["proxy","api","worker"]')
  expect(JSON.stringify(world)).toContain('169.254.0.0/16')
  expect(portsOf(587).map(({ podSelector }) => podSelector.matchLabels?.['app.kubernetes.io/component'])).toEqual([
    'worker',
  ])
  for (const { egress } of policies) for (const { ports } of egress) expect(ports.length).toBeGreaterThan(0)
})
