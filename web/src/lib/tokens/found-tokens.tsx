import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '#web/ui/search-select.tsx'
import { useCredentialNames } from '../credential-names.ts'
import { secureTokensQuery } from '../queries/secure-tokens.ts'
import { formatCount } from '../text/format.ts'
import { type TokenSelectProps, toOption } from './token-select.tsx'

type FoundTokensProps = Omit<TokenSelectProps, 'first' | 'last'> & { fixed: TokenSelectProps['first'] }

/** The same select for more than a page of tokens. */
export function FoundTokens({ fixed, unknown, value, onValueChange, ...control }: FoundTokensProps) {
  const [search, setSearch] = useState('')
  const text = search.trim()
  const { data } = useInfiniteQuery({ ...secureTokensQuery(text), placeholderData: keepPreviousData })
  const { tokens } = useCredentialNames([value])
  const listed = data?.tokens.map(toOption) ?? []
  const chosen = [...fixed, ...tokens.map(toOption)].find((option) => option.value === value)
  const more = (data?.total ?? 0) - listed.length
  return (
    <SearchSelect
      id={control.id}
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      label="Secure tokens"
      placeholder="Search by name"
      text={chosen?.label ?? unknown}
      value={value}
      options={text === '' ? [...fixed, ...listed] : listed}
      onValueChange={onValueChange}
      search={search}
      onSearch={setSearch}
      note={more > 0 && `${formatCount(more)} more: type a part of the name.`}
    />
  )
}
