import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Component, lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { renew } from './api/client.ts'
import { type ApiError, asApiError } from './api/errors.ts'
import { queries } from './api/hooks.ts'
import { mayRenew, session } from './api/session.ts'
import { SignIn } from './screens/sign-in/sign-in.tsx'
import { common } from './text/common.ts'
import { ways } from './text/format.ts'
import { language } from './text/language.ts'
import { theme } from './theme.ts'
import { ErrorNote } from './ui/error-note.tsx'
import { EmptyFrame } from './ui/look/frame.tsx'
import { Waiting } from './ui/page.tsx'
import { Notices } from './ui/toast.tsx'

/** Fetched while the session is still being renewed. */
const panel = () => import('./screens/shell/panel.tsx')
if (mayRenew()) panel().catch(() => undefined)

const LinkPage = lazy(() => import('./screens/sign-in/link.tsx'))
const Panel = lazy(panel)

/** The whole interface. Mantine makes no style element: its variables are in the style sheet. */
export function App() {
  language.use()
  ways.use()
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <Guard>
          <Suspense fallback={<Blank />}>
            <Switch>
              <Route path="/enlace" component={LinkPage} />
              <Route path="/entrar" component={SignInPage} />
              <Route path="/panel/*?" component={PanelPage} />
              <Route>
                <Redirect to="/panel" replace />
              </Route>
            </Switch>
          </Suspense>
        </Guard>
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Where somebody wanted to go who first had to sign in. */
let wanted = '/panel'

function PanelPage() {
  const now = session.use()
  const [path] = useLocation()
  // Drawn in small steps, between which the browser can answer; whoever leaves is out at once.
  const opened = useDeferredValue(now.kind === 'in')
  if (now.kind === 'unknown') return <Opening />
  if (now.kind === 'out') {
    // Who left is done here; the next may be somebody else.
    wanted = now.why === 'left' ? '/panel' : path
    return <Redirect to="/entrar" replace />
  }
  return opened ? <Panel /> : <Blank />
}

function SignInPage() {
  const now = session.use()
  if (now.kind === 'in') return <Redirect to={wanted} replace />
  // The cookie may still be good: then there is nothing to ask.
  if (now.kind === 'unknown' && mayRenew()) return <Opening />
  return <SignIn />
}

/** A page that was loaded anew knows nobody: it asks with the renewal cookie. */
function Opening() {
  const [error, setError] = useState<ApiError | null>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try asks again
  useEffect(() => {
    setError(null)
    renew().catch((thrown) => setError(asApiError(thrown)))
  }, [tries])
  return error ? (
    <main className="alone">
      <ErrorNote error={error} retry={() => setTries(tries + 1)} />
    </main>
  ) : (
    <Blank />
  )
}

/** What stands where the screens will, so that nothing of the frame moves when they come. */
function Blank() {
  const [path] = useLocation()
  if (mayRenew() && path.startsWith('/panel'))
    return (
      <EmptyFrame>
        <Waiting />
      </EmptyFrame>
    )
  return (
    <main className="alone">
      <Waiting lines={3} />
    </main>
  )
}

/** A screen that throws shows that it did, instead of nothing. */
class Guard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="alone">
        <div className="note note-bad" role="alert">
          <p className="note-title">{common.thisScreenFailed}</p>
          <p>{common.reloadAdvice}</p>
          <p>
            <a href="/panel">{common.reload}</a>
          </p>
        </div>
      </main>
    )
  }
}
