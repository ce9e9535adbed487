import install from './install.ts'
import show from './show.ts'

export const applicationHandlers = [install, show]
