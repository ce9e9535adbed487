// All of it on one panel, which starts once (sign-in/world.ts).
import './sign-in/entering.ts'
import './sign-in/second-factor.ts'
import './sign-in/guessing.ts'
import './sign-in/renewal.ts'
import './sign-in/sessions.ts'
