import { useCallback, useSyncExternalStore } from 'react'

/** Whether a CSS media query matches; updates when that changes. */
function useMediaQuery(query: string) {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** Tables at this width and above, cards below: Tailwind's `md`. */
export const useWideScreen = () => useMediaQuery('(min-width: 48rem)')

/** Room for a panel beside a list: Tailwind's `xl`. */
export const useExtraWideScreen = () => useMediaQuery('(min-width: 80rem)')
