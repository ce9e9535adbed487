import { Button, PasswordInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ApiError } from '../../api/errors.ts'
import { useAbsent, useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { dateTime, relative } from '../../text/format.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, TextArea, TextField } from '../../ui/forms/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/forms/form.tsx'
import { Card, Facts, Waiting } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

type Destination = OutputOf<'GET /api/copias/destino'>
const KINDS = ['carpeta', 'sftp', 's3', 'rest'] as const

/** Where the copies of this node go, and when the node itself was last copied there. */
export function DestinationCard() {
  const [changing, setChanging] = useState(false)
  const read = useRead('GET /api/copias/destino', {}, { again: () => 60_000 })
  const none = useAbsent(read, 'destino_no_existe')
  if (read.error && !none) return <ErrorNote error={read.error} retry={() => void read.refetch()} />
  if (!read.data && !none) return <Waiting lines={2} />
  const done = () => {
    setChanging(false)
    void read.refetch()
  }
  return (
    <Card
      title={none ? texts.noDestination : texts.destination}
      wire="GET /api/copias/destino"
      actions={
        read.data && !changing ? (
          <Button size="xs" variant="default" onClick={() => setChanging(true)}>
            {texts.change}
          </Button>
        ) : null
      }
    >
      {read.data && !changing ? (
        <Known destination={read.data} />
      ) : (
        <div className="measure">
          <Enter known={read.data} done={done} {...(changing ? { cancel: () => setChanging(false) } : {})} />
        </div>
      )}
    </Card>
  )
}

function Known({ destination }: { destination: Destination }) {
  const { tipo, url, huella, nodo, comprobado, nodo_copiado } = destination
  return (
    <Facts
      items={[
        [texts.kind, kindName(tipo)],
        [texts.address, <code key="u">{url}</code>],
        ...fingerprintOf(huella),
        [common.node, <code key="n">{nodo}</code>],
        [texts.checked, dateTime(comprobado)],
        [texts.nodeCopied, nodo_copiado ? relative(nodo_copiado) : texts.never],
      ]}
    />
  )
}

const fingerprintOf = (huella: string | null): [ReactNode, ReactNode][] =>
  huella === null ? [] : [[texts.fingerprint, <code key="h">{huella}</code>]]

const kindName = (kind: Destination['tipo']) =>
  ({ carpeta: texts.folder, sftp: 'SFTP', s3: 'S3', rest: 'REST' })[kind]

type Kind = Destination['tipo']
/** An address is of one kind alone: each has what was typed for it. */
type Typed = Record<'credencial' | 'huella' | 'contrasena', string> & {
  tipo: Kind
  urls: Partial<Record<Kind, string>>
}
type EnterProps = { known: Destination | undefined; done: () => void; cancel?: () => void }

function Enter({ known, done, cancel }: EnterProps) {
  const [typed, setTyped] = useState<Typed>({
    ...{ tipo: known?.tipo ?? KINDS[0], urls: known ? { [known.tipo]: known.url } : {} },
    ...{ credencial: '', contrasena: '', huella: '' },
  })
  const { tipo, urls, credencial, huella, contrasena } = typed
  const body = {
    ...{ tipo, url: urls[tipo]?.trim() ?? '', contrasena },
    ...(tipo === 'carpeta' || credencial.trim() === '' ? {} : { credencial }),
    ...(tipo !== 'sftp' || huella.trim() === '' ? {} : { huella: huella.trim() }),
  }
  return (
    <OpForm
      op="PUT /api/copias/destino"
      input={{ body }}
      submit={texts.checkAndStore}
      blame={(error) => blamed(error, tipo)}
      {...(cancel ? { cancel } : {})}
      done={() => {
        announce(texts.stored)
        done()
      }}
    >
      {(error) => (
        <Fields typed={typed} error={error} set={(change) => setTyped((now) => ({ ...now, ...change }))} />
      )}
    </OpForm>
  )
}

/** Which field a destination was refused for. */
function blamed({ codigo, members }: ApiError, kind: Kind) {
  if (codigo === 'destino_contrasena') return { field: 'contrasena', words: texts.otherPassword }
  if (codigo === 'destino_ajeno') return { field: 'url', words: texts.othersCopies }
  if (codigo !== 'destino_fallo') return null
  if (members.motivo === 'huella') return { field: 'huella', words: texts.otherKey }
  if (members.motivo === 'credencial')
    return kind === 'carpeta'
      ? { field: 'url', words: texts.folderRefuses }
      : { field: 'credencial', words: texts.credentialRefused }
  const words: Record<string, string> = {
    ausente: texts.nothingThere,
    inaccesible: kind === 'carpeta' ? texts.noFolder : texts.notReached,
    lleno: texts.full,
    danado: texts.damaged,
  }
  return { field: 'url', words: words[String(members.motivo)] ?? texts.unusable }
}

type FieldsProps = { typed: Typed; set: (change: Partial<Typed>) => void; error: FieldErrors }

function Fields({ typed: { tipo, urls, credencial, huella, contrasena }, set, error }: FieldsProps) {
  return (
    <>
      <Choice
        label={texts.kind}
        value={tipo}
        onChange={(value) =>
          set({ tipo: KINDS.find((kind) => kind === value) ?? KINDS[0], credencial: '', huella: '' })
        }
        error={error('tipo')}
        options={KINDS.map((kind) => ({ value: kind, label: kindName(kind) }))}
      />
      <TextField
        mono
        label={texts.address}
        placeholder={PLACEHOLDERS[tipo]}
        value={urls[tipo] ?? ''}
        error={error('url')}
        onChange={(url) => set({ urls: { ...urls, [tipo]: url } })}
      />
      {tipo === 'sftp' ? (
        <TextField
          mono
          label={texts.fingerprint}
          description={texts.fingerprintHint}
          placeholder="SHA256:…"
          value={huella}
          error={error('huella')}
          onChange={(huella) => set({ huella })}
        />
      ) : null}
      {tipo === 'carpeta' ? null : (
        <TextArea
          label={texts.credential}
          description={texts[`${tipo}Credential`]}
          value={credencial}
          error={error('credencial')}
          onChange={(credencial) => set({ credencial })}
        />
      )}
      <PasswordInput
        label={texts.password}
        description={texts.passwordHint}
        value={contrasena}
        error={error('contrasena')}
        onChange={(event) => set({ contrasena: event.currentTarget.value })}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': texts.showHide, tabIndex: 0 }}
      />
    </>
  )
}

const PLACEHOLDERS: Record<Destination['tipo'], string> = {
  carpeta: '/srv/copias',
  sftp: 'sftp://panel@copias.ejemplo.net/home/panel/copias',
  s3: 'https://s3.ejemplo.net/bucket/panel',
  rest: 'https://copias.ejemplo.net/panel',
}
