import { type ChartColour, chartColours } from './chart-colours.ts'

type ChartTooltipProps = {
  title: string
  rows: readonly { label: string; value: string; colour: ChartColour }[]
}

export const ChartTooltip = ({ title, rows }: ChartTooltipProps) => (
  <div className="pointer-events-none min-w-32 rounded-control border border-raised-line bg-raised px-3 py-2 text-xs text-fg shadow-lg">
    <p className="mb-1 font-medium">{title}</p>
    {rows.map(({ label, value, colour }) => (
      <p key={label} className="flex items-center gap-2 leading-5">
        <span
          className="size-2 shrink-0 rounded-full forced-color-adjust-none"
          style={{ background: chartColours[colour] }}
        />
        <span className="max-w-64 truncate text-muted">{label}</span>
        <span className="ml-auto pl-3 font-mono tabular-nums">{value}</span>
      </p>
    ))}
  </div>
)
