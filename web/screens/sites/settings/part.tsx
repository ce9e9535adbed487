import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { SmallButton } from '../../../ui/small-button.tsx'
import { FolderChoice } from '../../files/choice.tsx'
import { typedAddress } from './addresses.ts'
import { texts } from './rules-texts.ts'

type At = { domain: string; raiz_web: string }

/** Where the files of an address lie; null for what is no address. */
function folderAt(address: string, { raiz_web }: At): string | null {
  try {
    const names = decodeURIComponent(address).split('/').filter(Boolean)
    return address.startsWith('/') ? ['', raiz_web, ...names].join('/') : null
  } catch {
    return null
  }
}

/** Whether nothing lies at an address of a site, neither a folder nor a file. */
export function useIsNowhere(site: At, address: string): boolean {
  const [settled] = useDebouncedValue(address, 250)
  const folder = folderAt(settled, site)
  const read = useRead(
    'GET /api/sitios/:domain/archivos',
    { params: { domain: site.domain }, query: { ruta: folder ?? '/', limite: '1' } },
    { enabled: folder !== null && settled !== '/' },
  )
  return settled === address && read.error?.codigo === 'archivo_no_existe'
}

type Props = {
  site: At
  /** As it is written in its field, and what that stands for. */
  typed: string
  address: string
  choose: (address: string) => void
}

/** What is said of a folder that is to be protected, and a way to find it. */
export function PartHelp({ site, typed, address, choose }: Props) {
  const [choosing, setChoosing] = useState(false)
  const isNowhere = useIsNowhere(site, address)
  const top = `/${site.raiz_web}`
  const isRead = address !== typed.trim() && `/${typed.trim().replace(/^\/+/, '')}` !== address
  return (
    <div className="stack rows-help">
      <div role="status">
        {isRead ? <p className="small">{texts.partRead(address)}</p> : null}
        {isNowhere ? (
          <p className="small tone-warn tone-text">{texts.partNowhere(address, site.raiz_web)}</p>
        ) : null}
      </div>
      {choosing ? (
        <FolderChoice
          domain={site.domain}
          path={isNowhere ? top : (folderAt(address, site) ?? top)}
          within={top}
          go={(path) => choose(typedAddress(path.slice(top.length) || '/'))}
        />
      ) : (
        <div>
          <SmallButton onClick={() => setChoosing(true)}>{texts.chooseFolder}</SmallButton>
        </div>
      )}
    </div>
  )
}
