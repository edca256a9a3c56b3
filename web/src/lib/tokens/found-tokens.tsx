import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '#web/ui/search-select.tsx'
import { useCredentialNames } from '../credential-names.ts'
import { secureTokensQuery } from '../queries/secure-tokens.ts'
import { errorText } from '../text/error-text.ts'
import { formatCount } from '../text/format.ts'
import { useSettled } from '../browser/use-settled.ts'
import { type TokenSelectProps, toOption } from './token-select.tsx'

type FoundTokensProps = Omit<TokenSelectProps, 'first' | 'last'> & { fixed: TokenSelectProps['first'] }

/** The same select for more than a page of tokens. */
export function FoundTokens({ fixed, unknown, value, onValueChange, ...control }: FoundTokensProps) {
  const [search, setSearch] = useState('')
  const text = search.trim()
  const sent = useSettled(text, 300)
  const { data, error, isPlaceholderData } = useInfiniteQuery({
    ...secureTokensQuery(text && sent),
    placeholderData: keepPreviousData,
  })
  const { tokens } = useCredentialNames([value])
  const listed = data?.tokens.map(toOption) ?? []
  const chosen = [...fixed, ...tokens.map(toOption)].find((option) => option.value === value)
  const isSearching = text !== '' && (text !== sent || isPlaceholderData)
  // Of the previous ones, Enter must not choose one that does not match.
  const matching = isSearching ? listed.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())) : listed
  const more = isSearching ? 0 : (data?.total ?? 0) - listed.length
  return (
    <SearchSelect
      id={control.id}
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      label="Secure tokens"
      placeholder="Search by name"
      text={chosen?.label ?? unknown}
      value={value}
      options={text === '' ? [...fixed, ...listed] : matching}
      onValueChange={onValueChange}
      search={search}
      onSearch={setSearch}
      empty={isSearching ? 'Searching…' : error ? errorText(error) : 'Nothing goes by that name.'}
      note={more > 0 && `${formatCount(more)} more: type a part of the name.`}
    />
  )
}
