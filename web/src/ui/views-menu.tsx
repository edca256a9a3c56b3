import { useMutation, useQuery } from '@tanstack/react-query'
import { Bookmark, Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { View } from '#schemas/views.ts'
import { deleteViewMutation, saveViewMutation, viewLink, viewsQuery } from '#web/lib/queries/views.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { CopyButton } from './copy-button.tsx'
import { ErrorState } from './error-state.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'
import { Skeleton } from './skeleton.tsx'

type ViewsMenuProps = {
  screen: View['screen']
  /** The state that a new view keeps. */
  search: View['search']
  onOpenView: (search: View['search']) => void
}

/** Named states of a screen, which the account keeps. Source: product.md 10.18. */
export function ViewsMenu({ screen, search, onOpenView }: ViewsMenuProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Saved views"
      open={open}
      onOpenChange={setOpen}
      className="w-80 max-w-[calc(100vw-2rem)]"
      trigger={<IconButton label="Saved views" icon={<Bookmark />} />}
    >
      <h2 className="font-medium">Saved views</h2>
      <Views
        screen={screen}
        search={search}
        onOpenView={(view) => {
          setOpen(false)
          onOpenView(view)
        }}
        onSaved={() => setOpen(false)}
      />
    </Popover>
  )
}

function Views({ screen, search, onOpenView, onSaved }: ViewsMenuProps & { onSaved: () => void }) {
  const { data, error, refetch } = useQuery(viewsQuery)
  const save = useMutation(saveViewMutation)
  const remove = useMutation(deleteViewMutation)
  const nameInput = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  if (!data) {
    if (!error) return <Skeleton className="mt-2 h-8 w-full" />
    return <ErrorState title="The views could not be loaded" error={error} onRetry={() => void refetch()} />
  }
  const views = data.filter((view) => view.screen === screen)
  const trimmed = name.trim()
  const same = views.find((view) => view.name === trimmed)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (trimmed === '') return
    const onSuccess = () => {
      toast({ title: 'View saved', description: trimmed })
      onSaved()
    }
    save.mutate({ id: same?.id, view: { screen, name: trimmed, search } }, { onSuccess })
  }

  return (
    <>
      {views.length === 0 ? (
        <p className="mt-1 text-muted">Filter the screen, give the view a name and come back to it here.</p>
      ) : (
        <ul className="-mx-2 mt-2">
          {views.map((view) => (
            <ViewRow
              key={view.id}
              view={view}
              onOpen={() => onOpenView(view.search)}
              // The focused button disappears with its row.
              onDelete={() => remove.mutate(view.id, { onSuccess: () => nameInput.current?.focus() })}
              isDeleting={remove.isPending && remove.variables === view.id}
            />
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="mt-3 flex items-end gap-2 border-t border-raised-line pt-3">
        <Field label="Name of the current view">
          {({ id }) => (
            <Input
              ref={nameInput}
              id={id}
              value={name}
              maxLength={60}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={trimmed === ''} pendingText={save.isPending && 'Saving...'}>
          {same ? 'Replace' : 'Save'}
        </Button>
      </form>
    </>
  )
}

type ViewRowProps = { view: View; onOpen: () => void; onDelete: () => void; isDeleting: boolean }

function ViewRow({ view, onOpen, onDelete, isDeleting }: ViewRowProps) {
  return (
    <li className="flex items-center">
      <button
        type="button"
        title={view.name}
        onClick={onOpen}
        className="h-11 min-w-0 flex-1 truncate rounded-control px-2 text-left hover:bg-subtle md:h-8 dark:hover:bg-zinc-700"
      >
        {view.name}
      </button>
      <CopyButton text={viewLink(view)} label={`Copy the link to ${view.name}`} />
      <IconButton
        variant="ghost-danger"
        label={`Delete the view ${view.name}`}
        icon={<Trash2 />}
        unavailable={isDeleting}
        onClick={onDelete}
      />
    </li>
  )
}
