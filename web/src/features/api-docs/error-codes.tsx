import { proxyErrors } from '#schemas/proxy-errors.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Source: product.md 5.10, 5.11. */
const errors = [
  {
    status: 401,
    title: 'Invalid or missing secure token',
    remedy: 'Check the Authorization header and the token’s state.',
  },
  { status: 400, title: 'No active API key found', remedy: 'Add a provider key under API Keys.' },
  { status: 429, title: 'Too many requests', remedy: 'Wait as long as Retry-After says, or raise the limit.' },
  { status: 500, title: 'Server error', remedy: 'Try again; give the x-request-id when you report it.' },
  {
    status: 403,
    title: 'Not allowed for this secure token',
    remedy: 'Check its models and addresses; with a budget, the model needs a known price.',
  },
  { status: 408, title: 'The request arrived too slowly', remedy: 'Send it again, without pauses.' },
  { status: 413, title: 'Body too large', remedy: 'Send less at once.' },
  { status: 431, title: 'Headers too large', remedy: 'Send fewer or shorter headers.' },
  { status: 502, title: 'The provider can’t be reached', remedy: 'Check the base URL under Proxy Config.' },
  {
    status: 504,
    title: 'The provider took too long',
    remedy: 'Raise the timeout under Proxy Config, or stream the response.',
  },
  { status: 503, title: 'The gateway can’t take the request now', remedy: 'Try again in a moment.' },
  {
    status: 508,
    title: 'The base URL leads back to the gateway',
    remedy: 'Set that of a provider under Proxy Config.',
  },
]

const { type, message } = proxyErrors.no_active_key

export const errorShape = JSON.stringify({ error: { message, type, param: null, code: 'no_active_key' } }, null, 2)

export const ErrorCodes = () => (
  <ul className="divide-y divide-line">
    {errors.map(({ status, title, remedy }) => (
      <li key={status} className="flex gap-4 py-2.5 first:pt-0">
        <StatusBadge status={status} className="mt-px" />
        <div>
          <p className="font-medium">{title}</p>
          <p className="text-muted">{remedy}</p>
        </div>
      </li>
    ))}
  </ul>
)
