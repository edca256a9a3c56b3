import type { Preferences } from '#schemas/preferences.ts'
import { tryStorage } from './browser/stored.ts'
import { createStore } from './store.ts'

export type Theme = Preferences['theme']

const storageKey = 'theme'
const device = () => window.matchMedia('(prefers-color-scheme: dark)')
/** The user's own colours replace those of a theme, except in charts, which have to be legible on them. */
const ownColours = () => window.matchMedia('(forced-colors: active)')

function stored(): Theme {
  const value = tryStorage(() => localStorage.getItem(storageKey))
  return value === 'dark' || value === 'system' ? value : 'light'
}

function resolve(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system' && !ownColours().matches) return theme
  return device().matches ? 'dark' : 'light'
}

const shownTheme = createStore(resolve(stored()))

function apply() {
  const shown = resolve(stored())
  document.documentElement.classList.toggle('dark', shown === 'dark')
  document.documentElement.classList.toggle('light', shown === 'light')
  shownTheme.write(shown)
}

/** Stores the choice in this browser and applies it. */
export function setTheme(theme: Theme) {
  tryStorage(() => localStorage.setItem(storageKey, theme))
  apply()
}

/** `system` follows the device, every theme the user's own colours, and every tab the others. */
export function watchTheme() {
  for (const media of [device(), ownColours()]) media.addEventListener('change', apply)
  window.addEventListener('storage', apply)
  // The theme may have changed since the class was set, before the first paint.
  apply()
}

/** The theme on the screen and a function that switches it; stored as `theme` in the browser, light by default. */
export function useTheme() {
  const theme = shownTheme.use()
  return { theme, toggle: () => setTheme(theme === 'dark' ? 'light' : 'dark') }
}
