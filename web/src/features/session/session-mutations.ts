import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { type Login, type Register, User } from '#schemas/account.ts'
import { fetchJson } from '#web/lib/api.ts'
import { startSession } from '#web/lib/session/session.ts'

export const loginMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (credentials: Login) => fetchJson(User, 'POST', '/api/login', { body: credentials }),
    onSuccess: (user) => startSession(client, user),
    meta: {
      success: { title: 'Welcome back!', description: 'You have been logged in successfully.' },
      failure: { title: 'Login failed' },
      handles: ['two-factor-required'],
    },
  })

export const registerMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (account: Register) => fetchJson(User, 'POST', '/api/register', { body: account }),
    onSuccess: (user) => startSession(client, user),
    meta: {
      success: {
        title: 'Account created!',
        description: 'Your account has been created and you are now logged in.',
      },
      failure: { title: 'Registration failed' },
    },
  })
