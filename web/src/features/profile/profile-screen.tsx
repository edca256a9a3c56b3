import { useQuery } from '@tanstack/react-query'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { ControlledTabs } from '#web/ui/controlled-tabs.tsx'
import { TabPanel } from '#web/ui/tabs.tsx'
import { BillingTab } from './billing-tab.tsx'
import { PersonalInformation } from './personal-information.tsx'
import { PreferencesTab } from './preferences-tab.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { type ProfileTab, profileTabs } from './profile-search.ts'
import { SecurityTab } from './security/security-tab.tsx'
import { UnconfirmedEmail } from './unconfirmed-email.tsx'

const labels = {
  profile: 'Profile',
  security: 'Security',
  preferences: 'Preferences',
  billing: 'Billing',
} satisfies Record<ProfileTab, string>

const tabs = profileTabs.map((value) => ({ value, label: labels[value] }))

type ProfileScreenProps = { tab: ProfileTab; onTab: (tab: ProfileTab) => void }

/** Source: product.md 10.14. */
export function ProfileScreen({ tab, onTab }: ProfileScreenProps) {
  const { data: user } = useQuery(currentUserQuery)
  if (!user) return <p className="text-muted">Please log in to view your profile.</p>
  return (
    <>
      <ProfileHeader user={user} />
      <ControlledTabs label="Parts of the profile" value={tab} onValueChange={onTab} options={tabs}>
        <TabPanel value="profile" className="pt-6">
          <div className="flex flex-col gap-6">
            <UnconfirmedEmail user={user} />
            <PersonalInformation user={user} />
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
