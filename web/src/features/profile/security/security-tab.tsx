import { AuditCard } from './audit-card.tsx'
import { DangerZone } from '../danger-zone.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** The cards of product.md 10.16 come first. */
export const SecurityTab = () => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <div className="flex min-w-0 flex-col gap-6">
      <PasswordForm />
      <DangerZone />
    </div>
    <div className="flex min-w-0 flex-col gap-6">
      <TwoFactorCard />
      <SessionsCard />
    </div>
    <div className="min-w-0 lg:col-span-2">
      <AuditCard />
    </div>
  </div>
)
