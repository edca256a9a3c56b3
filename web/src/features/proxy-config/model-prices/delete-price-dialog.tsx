import { useMutation } from '@tanstack/react-query'
import type { StoredModelPrice } from '#schemas/own-model-prices.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { deletePriceMutation } from './model-prices-queries.ts'

type DeletePriceDialogProps = { price: StoredModelPrice; open: boolean; onClose: () => void }

export function DeletePriceDialog({ price, open, onClose }: DeletePriceDialogProps) {
  const { mutate, isPending } = useMutation(deletePriceMutation)
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Delete model price?"
      description={`From now on “${visibleLine(price.pattern)}” has the price of another entry or of the general list. Without one, what its requests cost is not known.`}
      actionText="Delete Price"
      pendingText={isPending && 'Deleting...'}
      onConfirm={() => mutate(price.id, { onSuccess: onClose })}
    />
  )
}
