import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { OpForm } from '../../ui/forms/form.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { SaveZone } from './save.tsx'
import { texts } from './texts.ts'
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
      submit={texts.deleteTheZone}
      danger
      disabled={typed.trim().toLowerCase() !== zona}
      cancel={close}
      done={({ data }) => {
        announce('eliminado' in data ? texts.zoneDeleted(zona) : texts.zoneIsBeingDeleted(zona))
        go('/panel/zonas', { replace: true })
      }}
    >
      {() => (
        <>
          <Note tone="warn" title={texts.domainStopsResolvingHere}>
            <p>
              {texts.whatDeletingDoes}
              {zone.espejo ? ` ${mirrorGoes()}` : ''}
            </p>
            <p>{texts.notInTheBin}</p>
          </Note>
          <SaveZone zona={zona} label={texts.saveFirst} />
          <TextInput
            className="input-mono"
            label={texts.typeToConfirm(zona)}
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

const mirrorGoes = () => texts.mirrorGoesToo
