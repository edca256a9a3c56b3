import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'

export function CredentialCell({ kind, id }: { kind: 'keys' | 'tokens'; id: string | null }) {
  const names = useCredentialNames()
  return id === null ? <span className="text-muted">–</span> : visibleLine(credentialName(names[kind], id))
}
