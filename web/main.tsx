import './styles/index.ts'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { language } from './text/language.ts'

document.documentElement.lang = language.get()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
