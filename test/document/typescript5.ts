import { plugin } from 'bun'

/** Preloaded: the generators use the JavaScript interface of TypeScript 5, which version 7 has no more. */
plugin({
  name: 'typescript 5 for generators',
  setup(build) {
    build.module('typescript', async () => {
      const { default: typescript } = await import('typescript5')
      return { exports: { ...typescript, default: typescript }, loader: 'object' }
    })
  },
})
