// All of it on one panel, which starts once (accounts/world.ts).
import './accounts/coming-in.ts'
import './accounts/ended-sessions.ts'
import './accounts/confinement.ts'
import './accounts/putting.ts'
import './accounts/hostile-sign-ins.ts'
import './accounts/keeping.ts'
