import image from './image.ts'
import outside from './outside.ts'
import put from './put.ts'
import show from './show.ts'

export const appearanceHandlers = [show, put, outside, image]
