import type { AlertCondition } from '#schemas/alerts.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'

/** The names of an alert's groups, such as those of tokens. */
export function useGroupName(values: readonly string[]) {
  const { tokens, keys } = useCredentialNames(values)
  return ({ measure, group }: Pick<AlertCondition, 'measure' | 'group'>, value: string) => {
    if (value === '') return 'None'
    if (measure === 'budget' || group === 'token') return visibleLine(credentialName(tokens, value))
    return visibleLine(group === 'key' ? credentialName(keys, value) : value)
  }
}
