import install from './install.ts'
import session from './session.ts'
import show from './show.ts'
import update from './update.ts'

export const applicationHandlers = [install, session, show, update]
