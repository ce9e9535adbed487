import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '../../i18n/language.ts'
import { OpForm } from '../../ui/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Zone } from './zone-state.tsx'

/** Deletes a zone, once its name has been typed. */
export function RemoveZone({ zone, close }: { zone: Zone; close: () => void }) {
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const { zona } = zone
  return (
    <OpForm
      op="DELETE /api/zonas/:zona"
      input={{ params: { zona } }}
      submit={t('Delete the zone', 'Eliminar la zona')}
      danger
      disabled={typed.trim().toLowerCase() !== zona}
      cancel={close}
      done={({ data }) => {
        announce(
          'eliminado' in data
            ? t(`Zone ${zona} deleted`, `Zona ${zona} eliminada`)
            : t(`Zone ${zona} is being deleted`, `Zona ${zona}: eliminación en curso`),
        )
        go('/panel/zonas', { replace: true })
      }}
    >
      {() => (
        <>
          <Note
            tone="warn"
            title={t('The domain stops resolving here.', 'El dominio deja de resolver aquí.')}
          >
            <p>
              {t(
                'All its records go, and with them mail, web and whatever else depends on them.',
                'Desaparecen todos sus registros, y con ellos correo, web y todo lo que dependa de ellos.',
              )}
              {zone.espejo ? ` ${mirrorGoes()}` : ''}
            </p>
          </Note>
          <TextInput
            className="input-mono"
            label={t(`Type ${zona} to confirm`, `Escriba ${zona} para confirmar`)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
          />
        </>
      )}
    </OpForm>
  )
}

const mirrorGoes = () =>
  t('Its copy at the DNS provider is removed too.', 'También se retira su copia en el proveedor de DNS.')
