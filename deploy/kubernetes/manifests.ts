import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

export const folder = import.meta.dirname

export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
})
export type Manifest = z.infer<typeof Manifest>

const Kustomization = z.looseObject({
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  configMapGenerator: z
    .array(
      z.looseObject({
        name: z.string(),
        envs: z.array(z.string()).default([]),
        files: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  patches: z.array(z.object({ path: z.string().optional() }).loose()).default([]),
})
export type Kustomization = z.infer<typeof Kustomization>

/** @throws Error when the text is not YAML */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw document.errors[0]
    return Manifest.parse(document.toJS())
  })
}

const readText = (path: string) => readFileSync(join(folder, path), 'utf8')

export const readKustomization = (path: string): Kustomization =>
  Kustomization.parse(parse(readText(join(path, 'kustomization.yaml'))))

/** The resources that a folder itself adds: the files in its `resources`, and its config maps. */
export function readResources(path: string): Manifest[] {
  const { resources, configMapGenerator } = readKustomization(path)
  const files = resources.filter((name) => name.endsWith('.yaml'))
  const configMaps = configMapGenerator.map(({ name, envs, files: texts }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.assign(
      {},
      ...envs.map((file) => parseEnv(readText(join(path, file)))),
      ...texts.map((file) => ({ [file]: readText(join(path, file)) })),
    ),
  }))
  return [...files.flatMap((name) => parseManifests(readText(join(path, name)))), ...configMaps]
}

export const readPatches = (path: string): Manifest[] =>
  readKustomization(path)
    .patches.flatMap((patch) => patch.path ?? [])
    .flatMap((name) => parseManifests(readText(join(path, name))))

/** Every overlay and every component, by their paths in this folder. */
export const overlays = globSync('overlays/*/', { cwd: folder })
export const components = globSync('components/*/', { cwd: folder })
