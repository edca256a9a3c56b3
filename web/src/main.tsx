import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { tolerateTranslation } from './lib/browser/translated-texts.ts'
import { watchScripts } from './lib/failed-script.ts'
import { watchNetwork } from './lib/reachability.ts'
import { watchTheme } from './lib/theme.ts'

watchTheme()
watchNetwork()
watchScripts()
tolerateTranslation()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
