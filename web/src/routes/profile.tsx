import { createFileRoute } from '@tanstack/react-router'
import { readProfileSearch } from '#web/features/profile/profile-search.ts'
import { ProfileScreen } from '#web/features/profile/profile-screen.tsx'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/profile')({
  validateSearch: readProfileSearch,
  beforeLoad: requireUser,
  component: Profile,
})

function Profile() {
  const { tab = 'profile' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProfileScreen
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'profile' ? {} : { tab: next }, resetScroll: false })}
    />
  )
}
