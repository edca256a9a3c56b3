import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export const SessionLink = ({ to, children }: { to: LinkProps['to']; children: ReactNode }) => (
  <Link to={to} className="inline-flex h-11 items-center font-medium text-accent hover:underline md:h-9">
    {children}
  </Link>
)
