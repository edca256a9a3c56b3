import { z } from 'zod'
import { PlanName } from './plans.ts'

const requiredMessage = 'Please fill in all required fields.'
const required = z.string(requiredMessage).trim().min(1, requiredMessage)

/** The signed-in user as screens see it. Source: specification §3, "User". */
export const User = z.object({
  id: z.uuid(),
  username: z.string(),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  subscriptionStatus: PlanName,
})
export type User = z.infer<typeof User>

/** Source: specification §5, "Login". */
export const Login = z.object({
  username: required.max(64),
  password: z.string(requiredMessage).min(1, requiredMessage).max(1024),
})
export type Login = z.infer<typeof Login>

/** Source: specification §5, "Register" and "Profile"; minimum lengths from §9, "Credentials". */
export const Register = z.object({
  username: required
    .min(3, 'Username must be at least 3 characters')
    .max(64, 'Username must be at most 64 characters')
    .regex(/^[^\p{C}\p{Z}@]+$/u, 'Username must not contain spaces, @ or invisible characters'),
  email: required.max(254, 'Invalid email address').pipe(z.email('Invalid email address')),
  password: z
    .string(requiredMessage)
    .min(1, requiredMessage)
    .min(8, 'Password must be at least 8 characters')
    .max(1024, 'Password must be at most 1024 characters'),
  firstName: z.string().trim().max(100, 'First name must be at most 100 characters').optional(),
  lastName: z.string().trim().max(100, 'Last name must be at most 100 characters').optional(),
})
export type Register = z.infer<typeof Register>
