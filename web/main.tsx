import './styles/index.ts'
import { createRoot } from 'react-dom/client'
import { appearance, renewAppearance } from './api/appearance.ts'
import { mayRenew } from './api/session.ts'
import { App } from './app.tsx'
import { language } from './text/language.ts'
import { holdBrowser } from './ui/leave/browser.ts'
import { dress } from './ui/look/colours.ts'

// A first script that comes later begins nothing any more.
globalThis.boot ??= { renewal: null, parts: [] }
if (mayRenew()) document.documentElement.dataset.frame = ''
document.documentElement.lang = language.get()
dress(appearance.get())
appearance.subscribe(() => dress(appearance.get()))
void renewAppearance()
holdBrowser()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
