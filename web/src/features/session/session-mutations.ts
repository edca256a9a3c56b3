import { mutationOptions } from '@tanstack/react-query'
import { type Login, type Register, User } from '#schemas/account.ts'
import { fetchJson } from '#web/lib/api.ts'
import { startSession } from '#web/lib/session/session.ts'

export const loginMutation = mutationOptions({
  mutationFn: async (credentials: Login, { client }) =>
    startSession(client, await fetchJson(User, 'POST', '/api/login', { body: credentials })),
  meta: {
    success: { title: 'Welcome back!', description: 'You have been logged in successfully.' },
    failure: 'Login failed',
    handles: ['two-factor-required'],
  },
})

export const registerMutation = mutationOptions({
  mutationFn: async (account: Register, { client }) =>
    startSession(client, await fetchJson(User, 'POST', '/api/register', { body: account })),
  meta: {
    success: {
      title: 'Account created!',
      description: 'Your account has been created and you are now logged in.',
    },
    failure: 'Registration failed',
  },
})
