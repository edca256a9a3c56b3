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
  /** Renders a list item, with its own key. */
  children: (item: Item) => ReactNode
}

const pageSize = 50
const searchFrom = 11

/** A list that stays quick with thousands of items: shown in parts, and searched by name once it is long. */
export function LongList<Item extends { name: string }>({ items, label, className, children }: LongListProps<Item>) {
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(pageSize)
  const wanted = useDeferredValue(query).trim().toLowerCase()
  const found = wanted === '' ? items : items.filter(({ name }) => name.toLowerCase().includes(wanted))
  const shown = found.slice(0, limit)
  return (
    <>
      {items.length >= searchFrom && (
        <div className="relative border-b border-line p-3">
          <Search aria-hidden="true" className="absolute top-1/2 left-6 size-4 -translate-y-1/2 text-muted" />
          <Input
            type="search"
            aria-label={`Search ${label}`}
            placeholder={`Search ${formatCount(items.length)} ${label}`}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="pl-9"
          />
        </div>
      )}
      <ul className={className}>{shown.map(children)}</ul>
      <output className="text-muted empty:hidden">
        {found.length === 0 && <span className="block px-4 py-10 text-center">Nothing goes by that name.</span>}
      </output>
      {found.length > pageSize && (
        <ShowMore shown={shown.length} total={found.length} onPress={() => setLimit(limit + pageSize)} />
      )}
    </>
  )
}
