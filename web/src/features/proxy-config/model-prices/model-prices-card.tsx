import { useQuery } from '@tanstack/react-query'
import { CircleDollarSign, Plus } from 'lucide-react'
import type { StoredModelPrice } from '#schemas/own-model-prices.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LongList } from '#web/ui/long-list.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { deletePriceMutation, modelPricesQuery } from './model-prices-queries.ts'
import { PriceDialog } from './price-dialog.tsx'
import { PriceRow } from './price-row.tsx'

/** The account's own prices, separate from the configuration form. */
export function ModelPricesCard({ className }: { className?: string }) {
  const prices = useQuery(modelPricesQuery)
  const editing = useItemDialog<StoredModelPrice | 'new'>()
  const deletion = useItemDialog<StoredModelPrice>()
  const add = () => editing.show('new')
  return (
    <Card
      title="Model Prices"
      description="They win over the general price list. A price is valid from now on: requests before keep their cost."
      action={
        <Button size="sm" onClick={add}>
          <Plus />
          Add Price
        </Button>
      }
      className={className}
    >
      <QueryView query={prices} skeleton={<RowSkeletons rows={2} />} errorTitle="The model prices could not be loaded">
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              icon={CircleDollarSign}
              title="No model prices yet"
              action={
                <Button size="sm" onClick={add}>
                  Add Your First Price
                </Button>
              }
            >
              Add a price for models that the general list does not know, or for which you pay another one.
            </EmptyState>
          ) : (
            <LongList
              items={list.map((price) => ({ ...price, name: price.pattern }))}
              label="model prices"
              className="divide-y divide-line"
            >
              {(price) => (
                <PriceRow
                  key={price.id}
                  price={price}
                  onEdit={() => editing.show(price)}
                  onDelete={() => deletion.show(price)}
                />
              )}
            </LongList>
          )
        }
      </QueryView>
      {editing.item && (
        <PriceDialog price={editing.item === 'new' ? null : editing.item} open={editing.open} onClose={editing.close} />
      )}
      <DeleteDialog
        dialog={deletion}
        mutation={deletePriceMutation}
        title="Delete model price?"
        description={({ pattern }) =>
          `From now on “${visibleLine(pattern)}” has the price of another entry or of the general list. Without one, what its requests cost is not known.`
        }
        actionText="Delete Price"
      />
    </Card>
  )
}
