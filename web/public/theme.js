// Blocks the first paint on purpose: the theme class must be there before anything is drawn.
// A file of its own, because the content security policy allows no inline script.
;(function () {
  var theme = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage can be switched off; the default theme then rules.
  }
  if (theme === 'system' || matchMedia('(forced-colors: active)').matches)
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.classList.add(theme === 'dark' ? 'dark' : 'light')
})()
