import { ChartNoAxesColumn, KeyRound, ShieldCheck, Zap } from 'lucide-react'

const features = [
  {
    icon: ShieldCheck,
    title: 'Secure Proxy',
    text: 'Keys are stored encrypted and request contents are never logged or stored. One address gets your requests past regional restrictions.',
  },
  {
    icon: Zap,
    title: 'High Performance',
    text: 'Fast responses with caching and optimised routing. Responses stream through without being held back.',
  },
  {
    icon: KeyRound,
    title: 'API Key Management',
    text: 'Keep several provider keys, one of them primary and the others as backup, each with its usage.',
  },
  {
    icon: ChartNoAxesColumn,
    title: 'Analytics Dashboard',
    text: 'See usage and performance as they happen: requests, success rate, response times, cost.',
  },
]

export const FeatureCards = () => (
  <section id="features" aria-label="Features" className="scroll-mt-6">
    <ul className="grid gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
      {features.map(({ icon: Icon, title, text }) => (
        <li key={title} className="bg-surface p-6">
          <Icon aria-hidden="true" className="size-5 text-accent" />
          <h2 className="mt-4 text-base font-semibold">{title}</h2>
          <p className="mt-1 text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </section>
)
