import usage from '../../handlers/usage/show.ts'
import { alone } from './alone.ts'

/** `GET /api/clientes/<cliente>/uso` by itself: the one that billing systems and graphs call all day. */
export default alone(usage)
