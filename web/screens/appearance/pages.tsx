import { Input } from '@mantine/core'
import { useId } from 'react'
import type { InputOf, OutputOf } from '../../api/operations.ts'
import { TextArea, TextField } from '../../ui/forms/fields.tsx'
import type { FieldErrors } from '../../ui/forms/form.tsx'
import { type PageKind, pageHints, pageNames, texts } from './texts.ts'

type Told = OutputOf<'GET /api/apariencia'>['paginas']
/** A page without title and text is the panel's own. */
export type PageChoice = Record<PageKind, { titulo: string; texto: string }>

const KINDS: PageKind[] = ['provisional', 'suspendida', 'desconocida']
const EMPTY = { titulo: '', texto: '' }

export const choiceOf = (told: Told): PageChoice => ({
  provisional: told.provisional ?? EMPTY,
  suspendida: told.suspendida ?? EMPTY,
  desconocida: told.desconocida ?? EMPTY,
})

export function wantedPages(choice: PageChoice): InputOf<'PUT /api/apariencia'>['body']['paginas'] {
  const wanted = (kind: PageKind) =>
    choice[kind].titulo === '' && choice[kind].texto === '' ? null : choice[kind]
  return {
    provisional: wanted('provisional'),
    suspendida: wanted('suspendida'),
    desconocida: wanted('desconocida'),
  }
}

type Shown = { name: string; colour: string; support: string }
type Props = {
  choice: PageChoice
  choose: (choice: PageChoice) => void
  error: FieldErrors
  shown: Shown
}

/** The pages that visitors see where no site is served. */
export function PageFields({ choice, choose, error, shown }: Props) {
  return (
    <section className="own-pages">
      <h2>{texts.pages}</h2>
      <p className="muted">{texts.pagesLead}</p>
      {KINDS.map((kind) => (
        <OnePage
          key={kind}
          kind={kind}
          page={choice[kind]}
          write={(page) => choose({ ...choice, [kind]: page })}
          error={(part) => error(`paginas.${kind}.${part}`)}
          shown={shown}
        />
      ))}
    </section>
  )
}

type OneProps = {
  kind: PageKind
  page: { titulo: string; texto: string }
  write: (page: { titulo: string; texto: string }) => void
  error: FieldErrors
  shown: Shown
}

function OnePage({ kind, page, write, error, shown }: OneProps) {
  const id = useId()
  return (
    <fieldset className="own-page" aria-describedby={id}>
      <legend className="field-label">{pageNames[kind]}</legend>
      <Input.Description id={id}>{pageHints[kind]}</Input.Description>
      <TextField
        label={texts.title}
        value={page.titulo}
        onChange={(titulo) => write({ ...page, titulo })}
        error={error('titulo')}
        max={120}
      />
      <TextArea
        label={texts.text}
        description={texts.textHint}
        value={page.texto}
        onChange={(texto) => write({ ...page, texto })}
        error={error('texto')}
        rows={4}
      />
      {page.titulo || page.texto ? <Preview page={page} {...shown} /> : null}
    </fieldset>
  )
}

const COLOUR = /^#[0-9a-f]{6}$/i

/** The page as visitors will see it: always light, and in whatever language it is written. */
function Preview({ page, name, colour, support }: Shown & Pick<OneProps, 'page'>) {
  const accent = COLOUR.test(colour) ? colour : undefined
  const paragraphs = page.texto.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
  return (
    <figure>
      <figcaption className="field-label">{texts.preview}</figcaption>
      <div className="page-preview-sheet" lang="" style={accent ? { borderTopColor: accent } : {}}>
        {name ? (
          <p>
            <strong>{name}</strong>
          </p>
        ) : null}
        <p className="page-preview-title">{page.titulo}</p>
        {paragraphs.map((paragraph, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other name.
          <p key={at} className="page-preview-text">
            {paragraph.trim()}
          </p>
        ))}
        {support ? (
          <p className="page-preview-help" style={accent ? { color: accent } : {}}>
            <span lang="es">Ayuda</span> · <span lang="en">Help</span>
          </p>
        ) : null}
      </div>
    </figure>
  )
}
