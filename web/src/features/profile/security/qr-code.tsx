import { encode } from 'uqr'

/** Dark on white in both themes: that is what cameras read. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 rounded-control bg-white"
    >
      <path d={path} fill="#18181b" />
    </svg>
  )
}
