import { root } from '#tools/root.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Manifest } from './manifests.ts'

/**
 * Fields that Kubernetes does not know. Its JSON schemas let them pass, and a server drops them without a word, so the
 * type checker looks: an object literal must not have more than its type.
 * @returns what the type checker says
 */
export async function findUnknownFields(manifests: readonly Manifest[]): Promise<string> {
  // In the repository, because packages are looked for from the file upwards.
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

/** Of kinds that Kubernetes itself does not have. */
const packageOf: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

/** The package of a kind's model, such as `kubernetes-models/apps/v1`. */
export function moduleOf({ apiVersion }: Manifest): string {
  const [group] = apiVersion.split('/')
  return `${packageOf[group!] ?? 'kubernetes-models'}/${apiVersion}`
}
