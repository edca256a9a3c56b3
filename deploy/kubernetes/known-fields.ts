import { root } from '#tools/root.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Manifest } from './manifests.ts'

/**
 * Finds fields that Kubernetes does not know. Its JSON schemas accept them, and a server silently drops them, so the
 * type checker finds them: an object literal must not have more fields than its type.
 * @returns the output of the type checker
 */
export async function findUnknownFields(manifests: readonly Manifest[]): Promise<string> {
  // In the repository, because packages are resolved from the file upwards.
  const draft = mkdtempSync(join(root, 'node_modules/.manifests-'))
  try {
    const lines = manifests.map((manifest, at) => {
      const module = moduleOf(manifest)
      return `import type { I${manifest.kind} as T${at} } from '${module}'\nexport const m${at}: T${at} = ${JSON.stringify(manifest)}`
    })
    writeFileSync(join(draft, 'manifests.ts'), lines.join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', '--ignoreConfig']
    const { stdout } = await execa('tsc', [...options, join(draft, 'manifests.ts')], {
      preferLocal: true,
      localDir: root,
      reject: false,
    })
    return stdout
  } finally {
    rmSync(draft, { recursive: true })
  }
}

/** Packages for kinds that are not part of Kubernetes itself. */
const packageOf: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

/** The module with a kind's model, such as `kubernetes-models/apps/v1/Deployment`. That of its group has all kinds. */
export function moduleOf({ apiVersion, kind }: Manifest): string {
  const [group] = apiVersion.split('/')
  return `${packageOf[group!] ?? 'kubernetes-models'}/${apiVersion}/${kind}`
}
