import { createFileRoute } from '@tanstack/react-router'
import { readProfileSearch } from '#web/features/profile/profile-search.ts'
import { ProfileScreen } from '#web/features/profile/profile-screen.tsx'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/profile')({
  validateSearch: readProfileSearch,
  beforeLoad: requireUser,
  component: ProfileScreen,
})
