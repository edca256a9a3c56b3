import type { AlertCondition } from '#schemas/alerts.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'

/** The name of an alert's group, such as that of a token. */
export function useGroupName() {
  const { tokens, keys } = useCredentialNames()
  return ({ measure, group }: Pick<AlertCondition, 'measure' | 'group'>, value: string) => {
    if (value === '') return 'None'
    if (measure === 'budget' || group === 'token') return visibleLine(credentialName(tokens, value))
    return visibleLine(group === 'key' ? credentialName(keys, value) : value)
  }
}
