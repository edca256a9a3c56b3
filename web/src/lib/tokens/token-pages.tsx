import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LazyInput } from '#web/ui/lazy-input.tsx'
import { ListPart, LongList, searchInputProps } from '#web/ui/long-list.tsx'
import { secureTokensQuery } from '../queries/secure-tokens.ts'
import { errorText } from '../text/error-text.ts'
import { toast } from '../toast.ts'

type TokenPagesProps = {
  className: string
  searchClassName?: string
  /** Renders a list item, with its own key. */
  children: (token: SecureToken) => ReactNode
}

const label = 'secure tokens'

/** The account's tokens. More than a page of them are loaded page by page, and searched on the server. */
export function TokenPages({ children, ...classes }: TokenPagesProps) {
  const [search, setSearch] = useState('')
  const { data: all } = useInfiniteQuery(secureTokensQuery())
  const query = useInfiniteQuery({ ...secureTokensQuery(search), placeholderData: keepPreviousData })
  const { data: found } = query
  if (!all || found === null) return null
  const list = { ...classes, children }
  if (!all.isPaged) return <LongList items={all.tokens} label={label} {...list} />

  async function loadMore() {
    const { error } = await query.fetchNextPage()
    if (error) toast({ title: 'Failed to load more tokens', description: errorText(error), destructive: true })
  }

  return (
    <ListPart
      {...list}
      items={found?.tokens ?? []}
      found={found?.total ?? 0}
      total={all.total}
      error={
        !found && (
          <ErrorState
            title="The secure tokens could not be searched"
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        )
      }
      onMore={() => void loadMore()}
      searchInput={
        <LazyInput
          {...searchInputProps(label, all.total)}
          maxLength={200}
          value={search}
          onCommit={(text) => setSearch(text.trim())}
        />
      }
    />
  )
}
