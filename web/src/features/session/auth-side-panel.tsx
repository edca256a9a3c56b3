import { Code, Gauge, ShieldCheck } from 'lucide-react'
import { provider } from '#schemas/product.ts'

const points = [
  {
    icon: ShieldCheck,
    title: 'Secure & Private',
    text: 'Provider keys are stored encrypted. Your applications only ever hold tokens that you can switch off.',
  },
  {
    icon: Gauge,
    title: 'High Performance',
    text: 'Answers stream through as they arrive. Backup keys take over when one fails.',
  },
  {
    icon: Code,
    title: 'Developer Friendly',
    text: `Works with the ${provider.name} SDKs. Change the base URL, keep your code.`,
  },
]

export const AuthSidePanel = () => (
  <aside aria-label="Why use it" className="hidden border-l border-line bg-surface lg:grid lg:place-items-center">
    <ul className="flex max-w-sm flex-col gap-8 p-12">
      {points.map(({ icon: Icon, title, text }) => (
        <li key={title} className="flex gap-4">
          <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
          <div>
            <h2 className="font-semibold">{title}</h2>
            <p className="mt-1 text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  </aside>
)
