import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark' | 'system'

const storageKey = 'theme'
const listeners = new Set<() => void>()
const device = () => window.matchMedia('(prefers-color-scheme: dark)')

function stored(): Theme {
  try {
    const value = localStorage.getItem(storageKey)
    return value === 'dark' || value === 'system' ? value : 'light'
  } catch {
    return 'light'
  }
}

function resolve(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system') return theme
  return device().matches ? 'dark' : 'light'
}

function apply() {
  const shown = resolve(stored())
  document.documentElement.classList.toggle('dark', shown === 'dark')
  document.documentElement.classList.toggle('light', shown === 'light')
  for (const listener of listeners) listener()
}

function setTheme(theme: Theme) {
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Storage can be switched off; the theme then stays as it is.
  }
  apply()
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    device().addEventListener('change', apply)
    window.addEventListener('storage', apply)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    device().removeEventListener('change', apply)
    window.removeEventListener('storage', apply)
  }
}

/** The theme on the screen and how to switch it; kept under `theme` in the browser, light by default. */
export function useTheme() {
  const theme = useSyncExternalStore(subscribe, () => resolve(stored()))
  return { theme, toggle: () => setTheme(theme === 'dark' ? 'light' : 'dark') }
}
