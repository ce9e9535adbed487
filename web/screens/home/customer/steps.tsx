import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../../api/hooks.ts'
import type { ItemOf } from '../../../api/operations.ts'
import { filesPath, siteAddress, sitePath } from '../../../links.ts'
import { day } from '../../../text/format.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Loaded, Waiting } from '../../../ui/page.tsx'
import { Glyph } from '../../../ui/state.tsx'
import { useCertificateOnceConnected } from '../../connect/ask-once.ts'
import { CertificateFault } from '../../connect/certificate-fault.tsx'
import { useConnection } from '../../connect/data.ts'
import { Connect } from '../../connect/panel.tsx'
import { texts } from './texts.ts'

type Site = ItemOf<'GET /api/sitios'>

/** From an empty folder to a site that everybody reaches, each step with its own check. */
export function Steps({ site }: { site: Site }) {
  const { content, read } = useContent(site)
  const connection = useConnection(site.domain)
  const connected = connection.data?.conectado === true
  useCertificateOnceConnected(site, connected)
  const certified = site.https.estado === 'activo'
  if (content === 'seen' && connected && certified) return <AllDone site={site} />
  return (
    <ol className="setup">
      <Step
        title={content === 'unknown' ? texts.filesUnknown : texts.putItOnline}
        done={content === 'seen'}
        told={texts.hasContent}
      >
        {content === undefined ? <Waiting /> : null}
        {content === 'unknown' ? <Loaded of={read}>{() => null}</Loaded> : null}
        {content === 'unseen' ? <NoFirstPage site={site} /> : null}
        {content === 'nothing' ? <Upload site={site} /> : null}
      </Step>
      <Step
        title={texts.connect(site.domain_unicode)}
        done={connected}
        told={texts.isConnected(site.domain_unicode)}
      >
        <Loaded of={connection}>{(data) => <Connect connection={data} read={connection} />}</Loaded>
      </Step>
      <Step
        title={texts.certificate}
        done={certified}
        told={texts.certifiedUntil(site.https.caduca === null ? '' : day(site.https.caduca))}
      >
        <Certificate site={site} connected={connected} />
      </Step>
    </ol>
  )
}

type Content = 'nothing' | 'unseen' | 'seen' | 'unknown' | undefined

/** Whether visitors see what lies in the folder that is served; undefined while it is looked at. */
function useContent({ domain, raiz_web, indice }: Site) {
  const query = { ruta: `/${raiz_web}`, limite: '200' }
  const read = useRead('GET /api/sitios/:domain/archivos', { params: { domain }, query })
  const contentOf = (): Content => {
    if (read.isPending) return undefined
    // A folder that is not there yet holds nothing; of one that could not be looked at, nobody knows.
    if (!read.data) return read.error?.status === 404 ? 'nothing' : 'unknown'
    const { datos, siguiente } = read.data
    if (datos.length === 0) return 'nothing'
    // Of a folder with more names than that, nobody is told that it lacks one.
    return siguiente !== null || datos.some(({ nombre }) => indice.includes(nombre)) ? 'seen' : 'unseen'
  }
  return { content: contentOf(), read }
}

type StepProps = { title: string; done: boolean; told: string; children: ReactNode }

function Step({ title, done, told, children }: StepProps) {
  if (done) {
    return (
      <li className="setup-done">
        <Glyph tone="good" />
        <span>{told}</span>
      </li>
    )
  }
  return (
    <li>
      <Glyph tone="warn" />
      <div className="stack">
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  )
}

function NoFirstPage({ site }: { site: Site }) {
  const [name = ''] = site.indice.filter((one) => one.endsWith('.html'))
  return (
    <>
      <p className="small">{texts.noFirstPage(name || (site.indice[0] ?? ''))}</p>
      <div className="setup-do">
        <Button
          component={Link}
          href={filesPath(site.domain, `/${site.raiz_web}`)}
          variant="default"
          leftSection={<Icon name="folder" />}
        >
          {texts.openFiles}
        </Button>
      </div>
    </>
  )
}

function Upload({ site }: { site: Site }) {
  return (
    <>
      <p className="small">{texts.waysToPutOnline}</p>
      <div className="setup-do">
        <Button
          component={Link}
          href={filesPath(site.domain, `/${site.raiz_web}`)}
          variant="default"
          leftSection={<Icon name="upload" />}
        >
          {texts.uploadFiles}
        </Button>
        <Button
          component={Link}
          href={sitePath(site.domain)}
          variant="default"
          leftSection={<Icon name="plus" />}
        >
          {texts.installWordPress}
        </Button>
        <Button component={Link} href="/panel/sftp" variant="default" leftSection={<Icon name="folder" />}>
          {texts.sftp}
        </Button>
      </div>
      <p className="small faint">
        {texts.folderOverSftp} <code>{`/sitios/${site.domain}/${site.raiz_web}`}</code>
      </p>
    </>
  )
}

function Certificate({ site, connected }: { site: Site; connected: boolean }) {
  if (site.https.estado === 'error') return <CertificateFault https={site.https} />
  return <p className="small">{connected ? texts.beingAskedFor : texts.comesByItself}</p>
}

function AllDone({ site }: { site: Site }) {
  return (
    <p className="state tone-good">
      <Glyph tone="good" />
      <span>
        {texts.allDone(site.domain_unicode)}{' '}
        <a href={siteAddress(site)} target="_blank" rel="noreferrer">
          {texts.openIt}
        </a>
      </span>
    </p>
  )
}
