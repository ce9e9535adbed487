import { useState } from 'react'
import { keepAppearance } from '../../api/appearance.ts'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Loaded, PageHead } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { type ImageChoice, ImageField } from './image-field.tsx'
import { Mails } from './mails.tsx'
import { choiceOf, PageFields, wantedPages } from './pages.tsx'
import { texts } from './texts.ts'

type Told = OutputOf<'GET /api/apariencia'>

/** How customers see the panel: the operator's name, logo, colour and help. */
export default function AppearanceScreen() {
  const read = useRead('GET /api/apariencia', {})
  return (
    <>
      <PageHead title={texts.appearance} wire="GET /api/apariencia" lead={texts.lead} />
      <div className="stack">
        <Card>
          <Loaded of={read}>{(told) => <AppearanceForm key={JSON.stringify(told)} told={told} />}</Loaded>
        </Card>
        <Mails />
      </div>
    </>
  )
}

function AppearanceForm({ told }: { told: Told }) {
  const [nombre, setName] = useState(told.nombre ?? '')
  const [color, setColour] = useState(told.color ?? '')
  const [soporte, setSupport] = useState(told.soporte ?? '')
  const [logo, setLogo] = useState<ImageChoice>(undefined)
  const [icono, setIcon] = useState<ImageChoice>(undefined)
  const [pages, setPages] = useState(() => choiceOf(told.paginas))
  const body = {
    nombre: nombre || null,
    color: color || null,
    soporte: soporte || null,
    ...(logo === undefined ? {} : { logo }),
    ...(icono === undefined ? {} : { icono }),
    paginas: wantedPages(pages),
  }
  return (
    <OpForm
      op="PUT /api/apariencia"
      input={{ body }}
      submit={common.save}
      done={({ data }) => {
        const { paginas, ...shown } = data
        keepAppearance(shown)
        announce(common.saved)
      }}
    >
      {(error) => (
        <>
          <TextField
            label={common.name}
            description={texts.nameHint}
            value={nombre}
            onChange={setName}
            error={error('nombre')}
          />
          <TextField
            mono
            label={texts.colour}
            description={texts.colourHint}
            placeholder="#0b5d72"
            value={color}
            onChange={setColour}
            error={error('color')}
          />
          <TextField
            label={texts.support}
            description={texts.supportHint}
            placeholder="https://"
            value={soporte}
            onChange={setSupport}
            error={error('soporte')}
          />
          <ImageField
            image="logo"
            label={texts.logo}
            present={told.logo}
            choice={logo}
            choose={setLogo}
            error={error('logo')}
          />
          <ImageField
            image="icono"
            label={texts.icon}
            present={told.icono}
            choice={icono}
            choose={setIcon}
            error={error('icono')}
          />
          <PageFields
            choice={pages}
            choose={setPages}
            error={error}
            shown={{ name: nombre, colour: color, support: soporte }}
          />
        </>
      )}
    </OpForm>
  )
}
