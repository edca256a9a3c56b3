import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Activity, Copy, LogOut, Plus, Send, SunMoon } from 'lucide-react'
import type { User } from '#schemas/account.ts'
import type { CommandGroup } from '#web/features/command-palette/command-palette.tsx'
import { testProxyMutation } from '#web/features/dashboard/test-proxy-mutation.ts'
import { useLogOut } from '#web/features/app-shell/use-log-out.ts'
import { sidebarLinks } from '#web/features/app-shell/sidebar-links.ts'
import { focusTester } from '#web/features/request-tester/focus-tester.ts'
import { clientBaseUrl } from '#web/lib/base-url.ts'
import { copyWithToast } from '#web/lib/browser/clipboard.ts'
import { useTheme } from '#web/lib/theme.ts'

const copyBaseUrl = () => copyWithToast(clientBaseUrl(), { title: 'Copied to clipboard', description: clientBaseUrl() })

export function useCommands(user: User): readonly CommandGroup[] {
  const navigate = useNavigate()
  const { mutate: testProxy } = useMutation(testProxyMutation)
  const { toggle } = useTheme()
  const { logOut } = useLogOut()

  async function sendRequest() {
    await navigate({ to: '/' })
    // Unsaved edits may have blocked the navigation.
    if (window.location.pathname === '/') focusTester()
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
        { label: 'Test proxy', icon: Activity, run: () => testProxy() },
        { label: 'Copy base URL', icon: Copy, run: () => void copyBaseUrl() },
        { label: 'Switch theme', icon: SunMoon, run: toggle },
        { label: 'Sign out', icon: LogOut, run: logOut },
      ],
    },
  ]
}
