import { Link } from 'wouter'
import { common } from '../../../text/common.ts'
import { counted, number } from '../../../text/format.ts'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'

/** How much there is, each with the way to it. */
export function Totals({ summary: { totales, cerca_del_limite } }: { summary: Summary }) {
  const { activos, suspendidos, eliminando } = totales.clientes
  const beside = [
    suspendidos > 0 ? counted(suspendidos, texts.suspendedOne, texts.suspended) : null,
    eliminando > 0 ? `${number(eliminando)} ${texts.leaving}` : null,
  ].filter((part) => part !== null)
  const tiles: { name: string; value: number; href: string; beside?: string }[] = [
    {
      name: common.clients,
      value: activos + suspendidos + eliminando,
      href: '/panel/clientes',
      beside: beside.join(', '),
    },
    { name: common.sites, value: totales.sitios, href: '/panel/sitios' },
    { name: common.zones, value: totales.zonas, href: '/panel/zonas' },
    { name: common.databases, value: totales.bases, href: '/panel/clientes' },
    { name: texts.nearALimit, value: cerca_del_limite.total, href: '#cerca-del-limite' },
  ]
  return (
    <dl className="tiles">
      {tiles.map(({ name, value, href, beside }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {href.startsWith('#') ? (
              <a href={href}>{number(value)}</a>
            ) : (
              <Link href={href}>{number(value)}</Link>
            )}
            {beside ? <small>{beside}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
