import { useQuery, useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { User } from '#schemas/account.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { ControlledTabs } from '#web/ui/controlled-tabs.tsx'
import { TabPanel } from '#web/ui/tabs.tsx'
import { registrationQuery } from '#web/lib/queries/registration.ts'
import { Button } from '#web/ui/button.tsx'
import { IgnoredNotice } from '#web/ui/link-notices.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BillingTab } from './billing-tab.tsx'
import { PersonalInformation } from './personal-information.tsx'
import { PreferencesTab } from './preferences-tab.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { profileTabs } from './profile-search.ts'
import { SecurityTab } from './security/security-tab.tsx'
import { requestConfirmationMutation } from './profile-mutations.ts'

/** Source: product.md 10.14. */
export function ProfileScreen() {
  const { tab = 'profile', ignored } = useSearch({ from: '/profile' })
  const navigate = useNavigate({ from: '/profile' })
  const { data: user } = useQuery(currentUserQuery)
  const show = (next: typeof tab) =>
    void navigate({ search: next === 'profile' ? {} : { tab: next }, resetScroll: false })
  if (!user) return <p className="text-muted">Please log in to view your profile.</p>
  return (
    <>
      <IgnoredNotice names={ignored} onDismiss={() => show(tab)} />
      <ProfileHeader user={user} />
      <ControlledTabs label="Parts of the profile" value={tab} onValueChange={show} options={profileTabs}>
        <TabPanel value="profile" className="pt-6">
          <div className="flex flex-col gap-6">
            <PersonalInformation user={user} />
            <UnconfirmedEmail user={user} />
          </div>
        </TabPanel>
        <TabPanel value="security" className="pt-6">
          <SecurityTab />
        </TabPanel>
        <TabPanel value="preferences" className="pt-6">
          <PreferencesTab />
        </TabPanel>
        <TabPanel value="billing" className="pt-6">
          <BillingTab />
        </TabPanel>
      </ControlledTabs>
    </>
  )
}

/** Asks to confirm the email address, if the server sends mails. Last, so that nothing moves if it appears late. */
function UnconfirmedEmail({ user }: { user: User }) {
  const { data: registration } = useQuery(registrationQuery)
  const { mutate, isPending } = useMutation(requestConfirmationMutation)
  if (user.isEmailConfirmed || !registration?.sendsMail) return null
  return (
    <Notice tone="warn" title="Your email address is not confirmed">
      <p>
        Open the link in the mail that was sent to {user.email}. Until then no other mails go there: no security alerts,
        no reports, no new password.
      </p>
      <Button size="sm" className="mt-3" pendingText={isPending && 'Sending...'} onClick={() => mutate()}>
        Send Again
      </Button>
    </Notice>
  )
}
