import type { Handler } from '../../lib/endpoint/handler.ts'
import challenge from './challenge.ts'
import create from './create.ts'
import list from './list.ts'
import remove from './remove.ts'
import signIn from './sign-in.ts'
import signInChallenge from './sign-in-challenge.ts'

export const passkeyHandlers: Handler[] = [signInChallenge, signIn, challenge, create, list, remove]
