import { useRouter, Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Code, Gauge, ShieldCheck } from 'lucide-react'
import { product, provider } from '#schemas/product.ts'
import { Logo } from '#web/ui/logo.tsx'

type SessionLayoutProps = { title: string; heading: string; description: string; children: ReactNode }

/** The layout of the sign-in screens. When signed in, a mailed link opens inside the app shell. */
export function SessionLayout({ title, heading, description, children }: SessionLayoutProps) {
  const { user } = useRouter().options.context
  const content = (
    <>
      <title>{`${title} · ${product.name}`}</title>
      {!user && <Logo className="mb-4 size-9" />}
      <h1 className="text-xl font-semibold tracking-tight">{heading}</h1>
      <p className="text-muted">{description}</p>
      <div className="mt-8">{children}</div>
    </>
  )
  if (user) return <div className="max-w-md">{content}</div>
  return (
    <div className="grid min-h-dvh lg:grid-cols-[3fr_2fr]">
      <main className="mx-auto w-full max-w-md px-4 py-10 sm:px-8 lg:py-24">{content}</main>
      <AuthSidePanel />
    </div>
  )
}

const points = [
  {
    icon: ShieldCheck,
    title: 'Secure & Private',
    text: 'Provider keys are stored encrypted. Your applications only ever hold tokens that you can switch off.',
  },
  {
    icon: Gauge,
    title: 'High Performance',
    text: 'Responses stream through as they arrive. Backup keys take over when one fails.',
  },
  {
    icon: Code,
    title: 'Developer Friendly',
    text: `Works with the ${provider.name} SDKs. Change the base URL, keep your code.`,
  },
]

const AuthSidePanel = () => (
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

export const SessionLink = ({ to, children }: { to: LinkProps['to']; children: ReactNode }) => (
  <Link to={to} className="inline-flex h-11 items-center font-medium text-accent hover:underline md:h-9">
    {children}
  </Link>
)
