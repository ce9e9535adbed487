import './styles/index.ts'
import { createRoot } from 'react-dom/client'
import { appearance, renewAppearance } from './api/appearance.ts'
import { App } from './app.tsx'
import { language } from './text/language.ts'
import { holdBrowser } from './ui/leave/browser.ts'
import { dress } from './ui/look/colours.ts'

document.documentElement.lang = language.get()
dress(appearance.get())
appearance.subscribe(() => dress(appearance.get()))
void renewAppearance()
holdBrowser()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
