import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Select, type SelectProps, withOption } from '#web/ui/select.tsx'
import { secureTokensQuery } from '../queries/secure-tokens.ts'
import { visibleLine } from '../text/visible-text.ts'

const FoundTokens = lazy(async () => ({ default: (await import('./found-tokens.tsx')).FoundTokens }))

export type TokenSelectProps = Omit<SelectProps<string>, 'options'> & {
  /** Options before and after the tokens. */
  first: SelectProps<string>['options']
  last?: SelectProps<string>['options']
  /** Label of a value that is none of these, because the token was deleted. */
  unknown: string
}

/** Chooses one of the account's tokens. More than a page of them are searched on the server. */
export function TokenSelect({ first, last = [], unknown, ...select }: TokenSelectProps) {
  const { data: all } = useInfiniteQuery(secureTokensQuery())
  const fixed = [...first, ...last]
  if (all?.isPaged) {
    return (
      <Suspense fallback={<div className="h-11 md:h-9" />}>
        <FoundTokens {...select} fixed={fixed} unknown={unknown} />
      </Suspense>
    )
  }
  const listed = all?.tokens.map(toOption) ?? []
  return <Select {...select} options={withOption([...first, ...listed, ...last], select.value, unknown)} />
}

export const toOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: visibleLine(name) })
