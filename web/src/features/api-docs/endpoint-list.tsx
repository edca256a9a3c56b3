import { endpoints } from '#schemas/endpoints.ts'
import { product } from '#schemas/product.ts'
import { Badge } from '#web/ui/badge.tsx'

export const EndpointList = () => (
  <ul className="-my-2.5 divide-y divide-line">
    {endpoints.map(
      ({ path, method, documentation }) =>
        documentation?.description && (
          <li key={path} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <Badge tone="ok" className="font-mono">
              {method}
            </Badge>
            <code className="font-mono text-xs break-all">{product.proxyPath + path}</code>
            <span className="text-muted sm:ml-auto">{documentation.description}</span>
          </li>
        ),
    )}
  </ul>
)
