import { Pencil, Trash2 } from 'lucide-react'
import { formatAmount } from '#schemas/cost-text.ts'
import type { StoredModelPrice } from '#schemas/own-model-prices.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { formatCount } from '#web/lib/text/format.ts'
import { Name } from '#web/ui/name.tsx'

type PriceRowProps = { price: StoredModelPrice; onEdit: () => void; onDelete: () => void }

export const PriceRow = ({ price, onEdit, onDelete }: PriceRowProps) => (
  <li className="flex flex-col gap-3 px-4 py-4">
    <div className="flex items-center justify-between gap-4">
      <div className="min-w-0">
        <h3 className="font-mono font-semibold break-words sm:truncate">
          <Name text={price.pattern} />
        </h3>
        <p className="text-xs text-muted">
          Valid since <DateTime value={price.validFrom} precision="minute" />
        </p>
      </div>
      <div className="flex gap-2">
        <IconButton label={`Edit ${price.pattern}`} icon={<Pencil />} onClick={onEdit} />
        <IconButton variant="ghost-danger" label={`Delete ${price.pattern}`} icon={<Trash2 />} onClick={onDelete} />
      </div>
    </div>
    <Facts
      layout="row"
      facts={[
        { label: 'Input / 1M tokens', value: formatAmount(price.input) },
        {
          label: 'Cached / 1M tokens',
          value: price.cachedInput === null ? 'As input' : formatAmount(price.cachedInput),
        },
        { label: 'Output / 1M tokens', value: formatAmount(price.output) },
        { label: 'Per request', value: price.perRequest === null ? 'None' : formatAmount(price.perRequest) },
      ]}
    />
    <MorePrices price={price} />
  </li>
)

function MorePrices({ price: { cacheWrite, audioInput, longPrompts: long } }: Pick<PriceRowProps, 'price'>) {
  const above = long && `above ${formatCount(long.aboveTokens)}`
  const facts = [
    { label: 'Cache writes', value: cacheWrite },
    { label: 'Audio input', value: audioInput },
    { label: `Input ${above}`, value: long?.input ?? null },
    { label: `Output ${above}`, value: long?.output ?? null },
  ].flatMap(({ label, value }) => (value === null ? [] : { label, value: formatAmount(value) }))
  return facts.length > 0 && <Facts layout="row" facts={facts} />
}
