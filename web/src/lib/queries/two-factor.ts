import { TwoFactorStatus } from '#schemas/two-factor.ts'
import { jsonQuery } from './json-query.ts'

export const twoFactorPath = '/api/user/two-factor'

export const twoFactorQuery = jsonQuery(TwoFactorStatus, twoFactorPath)
