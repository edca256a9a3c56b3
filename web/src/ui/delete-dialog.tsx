import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { problemOf } from '#web/lib/api.ts'
import { AlertDialog } from './alert-dialog.tsx'
import type { ItemDialog } from './use-item-dialog.ts'

type DeleteDialogProps<Item extends { id: string }> = {
  dialog: ItemDialog<Item>
  mutation: UseMutationOptions<Response, Error, string>
  title: string
  description: (item: Item) => string
  actionText: string
  pendingText?: string
  children?: ReactNode
}

export function DeleteDialog<Item extends { id: string }>(props: DeleteDialogProps<Item>) {
  const { dialog, mutation, title, description, actionText, pendingText = 'Deleting...', children } = props
  const { mutate, isPending } = useMutation(mutation)
  const { item, open, close } = dialog
  if (!item) return null
  return (
    <AlertDialog
      open={open}
      onClose={close}
      title={title}
      description={description(item)}
      actionText={actionText}
      pendingText={isPending && pendingText}
      onConfirm={() =>
        mutate(item.id, {
          onSuccess: close,
          // Deleted elsewhere, as a toast says.
          onError: (error) => problemOf(error)?.code === 'not-found' && close(),
        })
      }
    >
      {children}
    </AlertDialog>
  )
}
