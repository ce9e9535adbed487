import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { phpLogPath } from '../../links.ts'
import { bytes } from '../../text/format.ts'
import { CopyLine } from '../../ui/copy.tsx'
import { Folded, Loaded } from '../../ui/page.tsx'
import { Glyph } from '../../ui/state.tsx'
import { type Connection, hostsLinesOf } from './data.ts'
import { texts } from './texts.ts'

/** What visitors will get from this server, for who has not changed the domain's DNS yet. */
export function SeeFirst({ connection }: { connection: Connection }) {
  const lines = hostsLinesOf(connection)
  return (
    <section className="see-first">
      <h3>{texts.seeItFirst}</h3>
      <FirstPage domain={connection.domain} />
      {lines === '' ? null : (
        <Folded title={texts.inYourBrowser}>
          <InBrowser lines={lines} domain={connection.domain} />
        </Folded>
      )}
    </section>
  )
}

function FirstPage({ domain }: { domain: string }) {
  const [asked, setAsked] = useState(false)
  const read = useRead('GET /api/sitios/:domain/portada', { params: { domain } }, { enabled: asked })
  return (
    <>
      <p className="small">{texts.seeItFirstHow}</p>
      <div className="setup-do">
        <Button
          variant="default"
          size="compact-sm"
          loading={asked && read.isFetching}
          onClick={() => (asked ? void read.refetch() : setAsked(true))}
        >
          {texts.askForFirstPage}
        </Button>
      </div>
      <div role="status">{asked ? <Loaded of={read}>{(page) => <Answer page={page} />}</Loaded> : null}</div>
    </>
  )
}

type Page = OutputOf<'GET /api/sitios/:domain/portada'>

function Answer({ page }: { page: Page }) {
  const { estado, domain } = page
  const tone = estado === null || estado >= 500 ? 'bad' : estado >= 400 ? 'warn' : 'good'
  return (
    <p className={`state tone-${tone}`}>
      <Glyph tone={tone} />
      <span>
        {answerWords(page)}
        {tone === 'bad' ? (
          <>
            {' '}
            <Link href={phpLogPath(domain)}>{texts.openLog}</Link>
          </>
        ) : null}
      </span>
    </p>
  )
}

function answerWords({ estado, titulo, bytes: size, redirige }: Page): string {
  if (estado === null) return texts.noAnswer
  if (redirige !== null) return texts.sendsOn(redirige)
  if (estado >= 500) return texts.pageFails(estado)
  if (estado === 401) return texts.asksPassword
  if (estado >= 400) return texts.noPage(estado)
  return texts.pageAnswers([
    String(estado),
    ...(titulo === null ? [] : [texts.quoted(titulo)]),
    bytes(size ?? 0),
  ])
}

function InBrowser({ lines, domain }: { lines: string; domain: string }) {
  return (
    <div className="see-first">
      <p className="small">{texts.hostsHow}</p>
      <CopyLine value={lines} label={texts.copyLines} />
      <ul className="small">
        <li>{texts.onWindows}</li>
        <li>{texts.onMac}</li>
        <li>{texts.onLinux}</li>
      </ul>
      <p className="small">{texts.thenOpen(`http://${domain}/`)}</p>
    </div>
  )
}
