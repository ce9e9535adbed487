import create from './create.ts'
import list from './list.ts'
import remove from './remove.ts'
import run from './run.ts'
import runs from './runs.ts'
import update from './update.ts'

export const scheduleHandlers = [list, create, update, remove, run, runs]
