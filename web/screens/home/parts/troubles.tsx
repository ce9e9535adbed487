import { Link } from 'wouter'
import { mirrorPath, sitePath } from '../../../links.ts'
import { common } from '../../../text/common.ts'
import { number, relative } from '../../../text/format.ts'
import { stateWords } from '../../../text/states.ts'
import { Glyph } from '../../../ui/state.tsx'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'
import { Watch } from './watch.tsx'

type Troubles = Summary['problemas']

/** Certificates that could not be had, or end soon. */
export function Certificates({ certificates }: { certificates: Troubles['certificados'] }) {
  const { con_error, por_caducar, sitios } = certificates
  const left = con_error + por_caducar - sitios.length
  return (
    <Watch
      title={texts.certificates}
      items={sitios.map(({ domain, caduca, error }) => ({
        key: `${domain} ${caduca}`,
        content: (
          <>
            <span className={`state tone-${error === null ? 'warn' : 'bad'}`}>
              <Glyph tone={error === null ? 'warn' : 'bad'} />
              <Link className="mono" href={sitePath(domain)}>
                {domain}
              </Link>
            </span>
            <span className="sub">{error ?? (caduca ? `${texts.ends} ${relative(caduca)}` : '')}</span>
          </>
        ),
      }))}
      fine={texts.noneEndsSoon}
      more={left > 0 ? `+${number(left)}` : null}
    />
  )
}

/** Mirrored zones that are not in order; nothing where no zone is mirrored. */
export function Mirrors({ mirrors, mirrored }: { mirrors: Troubles['espejo']; mirrored: number }) {
  if (mirrored === 0) return null
  const left = mirrors.total - mirrors.zonas.length
  return (
    <Watch
      title={texts.dnsMirror}
      items={mirrors.zonas.map(({ zona, estado }) => {
        const { tone, label } = stateWords(estado)
        return {
          key: zona,
          content: (
            <span className={`state tone-${tone}`}>
              <Glyph tone={tone} />
              <Link className="mono" href={mirrorPath(zona)}>
                {zona}
              </Link>{' '}
              {label}
            </span>
          ),
        }
      })}
      fine={`${number(mirrored - mirrors.total)} ${common.of} ${number(mirrored)} ${texts.upToDate}`}
      more={
        <>
          {left > 0 ? `+${number(left)} ` : ''}
          <Link href="/panel/espejo">{common.providerAndMirror}</Link>
        </>
      }
    />
  )
}
