import clone from './clone.ts'
import install from './install.ts'
import offered from './offered.ts'
import publish from './publish.ts'
import session from './session.ts'
import show from './show.ts'
import undo from './undo.ts'
import update from './update.ts'

export const applicationHandlers = [offered, install, session, show, update, clone, publish, undo]
