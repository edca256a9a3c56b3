import type { LinkProps } from '@tanstack/react-router'
import {
  Bell,
  BookOpen,
  ChartNoAxesColumn,
  CircleUser,
  CreditCard,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  SlidersHorizontal,
  Ticket,
  Workflow,
} from 'lucide-react'
import type { User } from '#schemas/account.ts'

type SidebarLink = { label: string; to: NonNullable<LinkProps['to']>; icon: LucideIcon }

/** Source: product.md 9.2. */
const links: readonly SidebarLink[] = [
  { label: 'Dashboard', to: '/', icon: LayoutDashboard },
  { label: 'API Keys', to: '/api-keys', icon: KeyRound },
  { label: 'Secure Tokens', to: '/secure-tokens', icon: Ticket },
  { label: 'API Docs', to: '/api-docs', icon: BookOpen },
  { label: 'Proxy Config', to: '/proxy-config', icon: SlidersHorizontal },
  { label: 'Request Logs', to: '/request-logs', icon: ScrollText },
  { label: 'Analytics', to: '/analytics', icon: ChartNoAxesColumn },
  { label: 'Alerts', to: '/alerts', icon: Bell },
  { label: 'Pricing', to: '/pricing', icon: CreditCard },
  { label: 'Profile', to: '/profile', icon: CircleUser },
]
const operatorLinks: readonly SidebarLink[] = [{ label: 'Log Pipeline', to: '/pipeline', icon: Workflow }]

/** The screens that this user may open. */
export const sidebarLinks = ({ isOperator }: User) => (isOperator ? [...links, ...operatorLinks] : links)
