import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  resources: z.array(z.string()),
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

/** What a folder adds itself: the files among its `resources`. */
export const readResources = (path: string): Manifest[] =>
  readKustomization(path)
    .resources.filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseManifests(readText(join(path, name))))

export const readPatches = (path: string): Manifest[] =>
  readKustomization(path)
    .patches.flatMap((patch) => patch.path ?? [])
    .flatMap((name) => parseManifests(readText(join(path, name))))

/** Every overlay, by its path in this folder. */
export const overlays = globSync('overlays/*/', { cwd: folder })
