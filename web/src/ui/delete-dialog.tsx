import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { AlertDialog } from './alert-dialog.tsx'

type DeleteDialogProps = Omit<ComponentProps<typeof AlertDialog>, 'pendingText' | 'onConfirm'> & {
  id: string
  mutation: UseMutationOptions<Response, Error, string>
}

/** Asks before an item is deleted. */
export function DeleteDialog({ id, mutation, ...dialog }: DeleteDialogProps) {
  const { mutate, isPending } = useMutation(mutation)
  return (
    <AlertDialog
      {...dialog}
      pendingText={isPending && 'Deleting...'}
      onConfirm={() => mutate(id, { onSuccess: dialog.onClose })}
    />
  )
}
