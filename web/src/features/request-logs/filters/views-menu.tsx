import { Bookmark, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Popover } from '#web/ui/popover.tsx'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { searchOf, useSavedViews } from './saved-views.ts'

type ViewsMenuProps = { search: LogSearch; onOpenView: (search: LogSearch) => void }

/** Saved filters, stored in this browser. */
export function ViewsMenu({ search, onOpenView }: ViewsMenuProps) {
  const { views, save, remove } = useSavedViews()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    const trimmed = name.trim()
    if (trimmed === '') return
    save(trimmed, search)
    setName('')
    setOpen(false)
    toast({ title: 'View saved', description: trimmed })
  }

  return (
    <Popover
      label="Saved views"
      open={open}
      onOpenChange={setOpen}
      className="w-80 max-w-[calc(100vw-2rem)]"
      trigger={
        <Button variant="ghost" size="icon" aria-label="Saved views" title="Saved views">
          <Bookmark />
        </Button>
      }
    >
      <h2 className="font-medium">Saved views</h2>
      {views.length === 0 ? (
        <p className="mt-1 text-muted">Filter the list, give the view a name and come back to it here.</p>
      ) : (
        <ul className="-mx-2 mt-2">
          {views.map((view) => (
            <li key={view.name} className="flex items-center">
              <button
                type="button"
                onClick={() => {
                  setOpen(false)
                  onOpenView(searchOf(view))
                }}
                className="h-11 min-w-0 flex-1 truncate rounded-control px-2 text-left hover:bg-subtle md:h-8 dark:hover:bg-zinc-700"
              >
                {view.name}
              </button>
              <Button
                variant="ghost-danger"
                size="icon"
                aria-label={`Delete the view ${view.name}`}
                onClick={() => remove(view.name)}
              >
                <Trash2 />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="mt-3 flex items-end gap-2 border-t border-raised-line pt-3">
        <Field label="Name of the current view" error={undefined}>
          {({ id }) => <Input id={id} value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Button type="submit" variant="primary" disabled={name.trim() === ''}>
          Save
        </Button>
      </form>
    </Popover>
  )
}
