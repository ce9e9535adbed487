import test from './test.ts'
import textsList from './texts-list.ts'
import textsPut from './texts-put.ts'
import textsRemove from './texts-remove.ts'

export const mailHandlers = [test, textsList, textsPut, textsRemove]
