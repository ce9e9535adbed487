import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import type { OutputOf } from '../../api/operations.ts'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/fields.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Waiting } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'

const OP = 'DELETE /api/nodos/:nodo'
type Released = OutputOf<typeof OP>
type Props = { node: string; opened: boolean; close: () => void }

/** Gives up a node that is gone: shows what would be released, and asks for the name. */
export function GiveUp({ node, opened, close }: Props) {
  const [typed, setTyped] = useState('')
  const released = useQuery<Released, ApiError>({
    queryKey: [OP, 'simular', node],
    queryFn: ({ signal }) =>
      call(OP, { params: { nodo: node }, query: { simular: 'si' }, body: {} }, { signal }),
    enabled: opened,
  })
  return (
    <Dialog title={`${t('Give up', 'Abandonar')} ${node}`} opened={opened} close={close}>
      {released.error ? <ErrorNote error={asApiError(released.error)} /> : null}
      {released.isPending ? <Waiting lines={4} /> : null}
      {released.data ? (
        <OpForm
          op={OP}
          input={{ params: { nodo: node }, body: { confirmar: typed } }}
          submit={t('Give up for good', 'Abandonar definitivamente')}
          danger
          disabled={typed !== node}
          cancel={close}
          done={() => {
            announce(t(`${node} was given up.`, `${node} se ha abandonado.`))
            close()
          }}
        >
          {(error) => (
            <>
              <What released={released.data} />
              <TextField
                mono
                label={`${t('Type', 'Escriba')} ${node}`}
                value={typed}
                onChange={setTyped}
                error={error('confirmar')}
              />
            </>
          )}
        </OpForm>
      ) : null}
    </Dialog>
  )
}

function What({ released }: { released: Released }) {
  const left = released.espejos.filter(({ copia }) => copia === 'se_queda').map(({ zona }) => zona)
  return (
    <Note tone="bad" title={t('This releases all that lived there', 'Esto libera todo lo que vivía allí')}>
      <p>
        {t(
          'Its clients end, with their logins, sites and zones; their names are free again. The files stay on that machine, which serves nothing should it come back.',
          'Sus clientes terminan, con sus accesos, sitios y zonas; sus nombres quedan libres. Los archivos siguen en esa máquina, que no servirá nada si vuelve.',
        )}
      </p>
      <Names title={t('Clients', 'Clientes')} names={released.clientes} />
      <Names title={t('Sites', 'Sitios')} names={released.sitios} />
      <Names title={t('Zones', 'Zonas')} names={released.zonas} />
      <Names
        title={t('Copies that stay at the DNS provider', 'Copias que se quedan en el proveedor de DNS')}
        names={left}
      />
    </Note>
  )
}

const SHOWN = 20

function Names({ title, names }: { title: string; names: string[] }) {
  if (names.length === 0) return null
  const more = names.length - SHOWN
  return (
    <p>
      <b>
        {title} ({number(names.length)})
      </b>
      : {names.slice(0, SHOWN).join(', ')}
      {more > 0 ? ` +${number(more)}` : ''}
    </p>
  )
}
