import { Preferences } from '#schemas/preferences.ts'
import { jsonQuery } from './json-query.ts'

export const preferencesPath = '/api/user/preferences'

export const preferencesQuery = jsonQuery(Preferences, preferencesPath)
