import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Activity, Copy, LogOut, Plus, Send, SunMoon } from 'lucide-react'
import type { User } from '#schemas/account.ts'
import type { CommandGroup } from '#web/features/command-palette/command-group.ts'
import { useTestProxy } from '#web/features/dashboard/use-test-proxy.ts'
import { logoutMutation } from '#web/features/app-shell/logout-mutation.ts'
import { sidebarLinks } from '#web/features/app-shell/sidebar-links.ts'
import { focusTester } from '#web/features/request-tester/focus-tester.ts'
import { clientBaseUrl } from '#web/lib/base-url.ts'
import { copyText } from '#web/lib/clipboard.ts'
import { useTheme } from '#web/lib/theme.ts'
import { toast } from '#web/lib/toast.ts'

async function copyBaseUrl() {
  await copyText(clientBaseUrl())
  toast({ title: 'Copied to clipboard', description: clientBaseUrl() })
}

/** All that the command palette offers: the actions of every feature, and the screens. */
export function useCommands(user: User): readonly CommandGroup[] {
  const navigate = useNavigate()
  const { test } = useTestProxy()
  const { toggle } = useTheme()
  const { mutate: logOut } = useMutation(logoutMutation(useQueryClient()))

  async function sendRequest() {
    await navigate({ to: '/' })
    // The dashboard may have to be drawn first.
    setTimeout(focusTester, 300)
  }

  return [
    {
      heading: 'Screens',
      commands: sidebarLinks(user).map(({ label, to, icon }) => ({ label, icon, run: () => void navigate({ to }) })),
    },
    {
      heading: 'Actions',
      commands: [
        { label: 'Send a request', icon: Send, run: () => void sendRequest() },
        {
          label: 'Add API key',
          icon: Plus,
          run: () => void navigate({ to: '/api-keys', search: { dialog: 'add' } }),
        },
        {
          label: 'Create secure token',
          icon: Plus,
          run: () => void navigate({ to: '/secure-tokens', search: { dialog: 'create' } }),
        },
        { label: 'Test proxy', icon: Activity, run: test },
        { label: 'Copy base URL', icon: Copy, run: () => void copyBaseUrl() },
        { label: 'Switch theme', icon: SunMoon, run: toggle },
        { label: 'Sign out', icon: LogOut, run: () => logOut() },
      ],
    },
  ]
}
