export * from './clients.ts'
export * from './persons.ts'
export * from './work.ts'
export * from './zones.ts'
