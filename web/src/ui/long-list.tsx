import { Search } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { formatCount } from '#web/lib/text/format.ts'
import { Input } from './input.tsx'
import { ShowMore } from './show-more.tsx'

type LongListProps<Item> = {
  items: readonly Item[]
  /** Plural name of the items, such as "API keys". */
  label: string
  className: string
  /** Of the search; by default, it is the head of a framed list. */
  searchClassName?: string
  /** Renders a list item, with its own key. */
  children: (item: Item) => ReactNode
}

const pageSize = 50
const searchFrom = 11

/** A list that stays quick with thousands of items: shown in parts, and searched by name once it is long. */
export function LongList<Item extends { name: string }>({ items, ...rest }: LongListProps<Item>) {
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(pageSize)
  const wanted = useDeferredValue(query).trim().toLowerCase()
  const found = wanted === '' ? items : items.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <ListPart
      {...rest}
      items={found.slice(0, limit)}
      found={found.length}
      total={items.length}
      onMore={() => setLimit(limit + pageSize)}
      searchInput={
        <Input
          {...searchInputProps(rest.label, items.length)}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      }
    />
  )
}

type ListPartProps<Item> = Omit<LongListProps<Item>, 'label'> & {
  /** Number of items that match the search. */
  found: number
  /** Number of items without a search. */
  total: number
  onMore: () => void
  searchInput: ReactNode
  /** Why nothing could be found. */
  error?: ReactNode
}

/** @param total number of items without a search */
export const searchInputProps = (label: string, total: number) => ({
  type: 'search',
  'aria-label': `Search ${label}`,
  placeholder: `Search ${formatCount(total)} ${label}`,
  className: 'pl-9',
})

/** The shown part of a long list, with its search and the button for the next part. */
export const ListPart = <Item,>(props: ListPartProps<Item>) => {
  const {
    items,
    className,
    searchClassName = 'border-b border-line p-3',
    children,
    found,
    total,
    onMore,
    error,
  } = props
  return (
    <>
      {total >= searchFrom && (
        <div className={searchClassName}>
          <div className="relative">
            <Search aria-hidden="true" className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
            {props.searchInput}
          </div>
        </div>
      )}
      <ul className={className}>{items.map(children)}</ul>
      {error}
      <output className="text-muted empty:hidden">
        {found === 0 && !error && <span className="block px-4 py-10 text-center">Nothing goes by that name.</span>}
      </output>
      {found > pageSize && <ShowMore shown={items.length} total={found} onPress={onMore} />}
    </>
  )
}
