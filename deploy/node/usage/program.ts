const TIMEOUT_MS = 60_000
// Nothing of the panel's environment, which holds secrets; messages in English, since they are compared.
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }

/** What a program prints, or null where it is missing, fails or takes longer than a minute. No shell. */
export async function outputOf(argv: [string, ...string[]]): Promise<string | null> {
  try {
    const child = Bun.spawn(argv, {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
      env: ENVIRONMENT,
      cwd: '/',
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
    return code === 0 ? output : null
  } catch {
    return null
  }
}
