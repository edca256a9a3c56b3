import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { product } from '#schemas/product.ts'
import { Logo } from '#web/ui/logo.tsx'
import { AuthSidePanel } from './auth-side-panel.tsx'

type SessionLayoutProps = { title: string; heading: string; description: string; children: ReactNode }

/** The screens around signing in. A mailed link may be opened while signed in: then it is shown inside the app shell. */
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
