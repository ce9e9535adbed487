import { useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '../i18n/language.ts'
import { TextField } from '../ui/fields.tsx'
import { OpForm } from '../ui/form.tsx'
import { Card } from '../ui/page.tsx'
import { announce } from '../ui/toast.tsx'
import type { ZoneData } from './zone.tsx'

export default function ZoneRemove({ zone }: { zone: ZoneData }) {
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  return (
    <Card title={t('Delete the zone', 'Eliminar la zona')}>
      <OpForm
        op="DELETE /api/zonas/:zona"
        input={{ params: { zona: zone.zona } }}
        submit={t('Delete', 'Eliminar')}
        danger
        disabled={typed !== zone.zona}
        done={() => {
          announce(t('Deleted.', 'Eliminada.'))
          navigate('/panel/zonas')
        }}
      >
        {() => (
          <>
            <p>
              {t(
                'All its records stop being answered. A mirror at the provider is removed as well.',
                'Dejan de responderse todos sus registros. También se retira su espejo en el proveedor.',
              )}
            </p>
            <TextField
              mono
              label={`${t('Type', 'Escriba')} ${zone.zona}`}
              value={typed}
              onChange={setTyped}
            />
          </>
        )}
      </OpForm>
    </Card>
  )
}
