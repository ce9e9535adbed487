import install from './install.ts'
import session from './session.ts'
import show from './show.ts'

export const applicationHandlers = [install, session, show]
