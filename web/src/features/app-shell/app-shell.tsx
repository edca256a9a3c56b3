import type { ReactNode } from 'react'
import type { User } from '#schemas/account.ts'
import { main } from '#web/lib/browser/place-of.ts'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

export const AppShell = ({ user, children }: { user: User; children: ReactNode }) => (
  <>
    <a
      href="#main"
      // What is behind the # stays: in a mailed link, it is the secret.
      onClick={(event) => {
        event.preventDefault()
        main()?.focus()
      }}
      className="sr-only z-50 rounded-control bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
    <aside
      aria-label="Sidebar"
      className="fixed inset-y-0 left-0 z-20 hidden w-64 border-r border-line bg-surface md:block print:hidden"
    >
      <Sidebar user={user} />
    </aside>
    <TopBar user={user} />
    <div className="md:pl-64 print:pl-0">
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex max-w-6xl has-data-beside:max-w-none flex-col gap-6 px-4 py-6 md:px-8 md:py-8 print:max-w-none print:p-0"
      >
        {children}
      </main>
    </div>
  </>
)
