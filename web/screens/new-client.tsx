import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAction } from '../api/hooks.ts'
import type { InputOf, OutputOf } from '../api/operations.ts'
import { language, t } from '../i18n/language.ts'
import { doneWords } from '../i18n/states.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { type FieldErrors, OpForm } from '../ui/form.tsx'
import { Card, Facts, PageHead, TabLinks } from '../ui/page.tsx'
import { Note, State } from '../ui/state.tsx'
import { announce } from '../ui/toast.tsx'
import { aliasesOf, NewAliasesFields } from './new-aliases.tsx'
import { clientPath } from './places.ts'
import { type PlanChoice, PlanField, usePlanChoice } from './plans/choice.tsx'

type Provision = OutputOf<'PUT /api/altas/:referencia'>
type Input = InputOf<'PUT /api/altas/:referencia'>

/** A new client: with site, zone and login in one request, or its row alone. */
export default function NewClient() {
  const alone = new URLSearchParams(location.search).has('solo')
  return (
    <>
      <PageHead
        title={t('New client', 'Cliente nuevo')}
        wire={alone ? 'POST /api/clientes' : 'PUT /api/altas/:referencia'}
      />
      <TabLinks
        label={t('Kind', 'Clase')}
        current={alone ? 'solo' : 'alta'}
        tabs={[
          {
            id: 'alta',
            href: '/panel/clientes/nuevo',
            label: t('Complete: client, site and login', 'Completo: cliente, sitio y acceso'),
          },
          { id: 'solo', href: '/panel/clientes/nuevo?solo', label: t('Client only', 'Solo el cliente') },
        ]}
      />
      {alone ? <ClientOnly /> : <Provisioning />}
    </>
  )
}

/** A reference that nobody else has: the request can be repeated and still makes one client. */
const freshReference = () => `panel:${crypto.randomUUID().slice(0, 13)}`

function Provisioning() {
  const [referencia, setReferencia] = useState(freshReference)
  const [typed, setForm] = useState<Form>({
    cliente: '',
    nombre: '',
    correo: '',
    domain: '',
    aliases: '',
    www: true,
    plan: undefined,
    idioma: language.get(),
    enviar: true,
  })
  const form = { ...typed, plan: usePlanChoice(typed.plan) }
  const [preview, setPreview] = useState<{ of: string; data: Provision } | null>(null)
  const dry = useAction('PUT /api/altas/:referencia')
  const [, navigate] = useLocation()
  const set =
    <K extends keyof Form>(name: K) =>
    (value: Form[K]) =>
      setForm({ ...typed, [name]: value })
  const input = inputOf(referencia, form)
  const shown = JSON.stringify(input)
  const simulate = async () => {
    const answer = await dry.run({ ...input, query: { simular: 'si' } })
    setPreview(answer ? { of: shown, data: answer.data } : null)
  }
  return (
    <div className="columns">
      <Card>
        <OpForm
          op="PUT /api/altas/:referencia"
          input={input}
          submit={t('Create all of it', 'Crear todo')}
          complete={form.plan !== undefined}
          done={({ data }) => {
            announce(t('Created.', 'Creado.'))
            navigate(clientPath(data.cliente.cliente))
          }}
          beside={
            <Button
              variant="default"
              loading={dry.busy}
              disabled={form.plan === undefined}
              onClick={simulate}
            >
              {t('Dry run', 'Simular')}
            </Button>
          }
        >
          {(error, tried) => (
            <>
              <Fields form={form} set={set} error={error} tried={tried} />
              <TextField
                mono
                label={t('Reference', 'Referencia')}
                description={t(
                  'Repeating the request with the same reference makes nothing twice.',
                  'Repetir la petición con la misma referencia no crea nada dos veces.',
                )}
                value={referencia}
                onChange={setReferencia}
                error={error('referencia')}
              />
            </>
          )}
        </OpForm>
      </Card>
      <div className="stack">
        <Card title={t('What would happen', 'Qué pasaría')}>
          {dry.error ? <ErrorNote error={dry.error} /> : null}
          {!dry.error && preview ? <Preview provision={preview.data} stale={preview.of !== shown} /> : null}
          {!dry.error && !preview ? (
            <p className="faint">
              {t(
                'The dry run asks the panel itself: the same checks, and nothing is changed.',
                'La simulación pregunta al propio panel: las mismas comprobaciones, y no cambia nada.',
              )}
            </p>
          ) : null}
        </Card>
      </div>
    </div>
  )
}

type Form = {
  cliente: string
  nombre: string
  correo: string
  domain: string
  aliases: string
  www: boolean
  plan: PlanChoice
  idioma: 'es' | 'en'
  enviar: boolean
}

function inputOf(referencia: string, form: Form): Input {
  const { cliente, nombre, correo, domain, plan, idioma, enviar } = form
  return {
    params: { referencia },
    body: {
      ...(cliente ? { cliente } : {}),
      ...(nombre ? { nombre } : {}),
      correo,
      domain,
      ...aliasesOf(form),
      ...(plan ? { plan } : {}),
      idioma,
      ...(enviar ? {} : { enviar }),
    },
  }
}

function Fields({
  form,
  set,
  error,
  tried,
}: {
  form: Form
  set: <K extends keyof Form>(name: K) => (value: Form[K]) => void
  error: FieldErrors
  tried: boolean
}) {
  return (
    <>
      <div className="pair">
        <TextField
          mono
          label={t('Domain', 'Dominio')}
          value={form.domain}
          onChange={set('domain')}
          error={error('domain')}
          placeholder="ejemplo.es"
          autoFocus
        />
        <TextField
          label={t("Customer's e-mail", 'Correo del cliente')}
          type="email"
          value={form.correo}
          onChange={set('correo')}
          error={error('correo')}
        />
      </div>
      <NewAliasesFields
        value={form}
        set={({ aliases, www }) => {
          if (aliases !== undefined) set('aliases')(aliases)
          if (www !== undefined) set('www')(www)
        }}
        error={error}
      />
      <div className="pair">
        <TextField
          mono
          label={t('Client name', 'Nombre de cliente')}
          description={t('Left empty, one is made from the domain.', 'Vacío: se hace a partir del dominio.')}
          value={form.cliente}
          onChange={set('cliente')}
          error={error('cliente')}
        />
        <TextField
          label={t('Display name', 'Nombre visible')}
          description={t('A person or a company.', 'Una persona o empresa.')}
          value={form.nombre}
          onChange={set('nombre')}
          error={error('nombre')}
        />
        <Choice
          label={t('Language of the mails', 'Idioma de los correos')}
          value={form.idioma}
          onChange={(value) => set('idioma')(value === 'es' ? 'es' : 'en')}
          options={[
            { value: 'es', label: 'Español' },
            { value: 'en', label: 'English' },
          ]}
        />
      </div>
      <PlanField value={form.plan} onChange={set('plan')} error={error('plan')} tried={tried} />
      <Checkbox
        label={t(
          'Make a login and mail its activation link',
          'Crear el acceso y enviar el enlace de activación',
        )}
        checked={form.enviar}
        onChange={(event) => set('enviar')(event.currentTarget.checked)}
      />
    </>
  )
}

/** The answer of the dry run: what would be there afterwards. */
function Preview({ provision, stale }: { provision: Provision; stale: boolean }) {
  const { cliente, sitio, acceso, hecho } = provision
  return (
    <div className="stack">
      {stale ? (
        <Note
          tone="warn"
          title={t('The form has changed since.', 'El formulario ha cambiado desde entonces.')}
        />
      ) : (
        <Note
          tone="good"
          title={t('This would work. Nothing was changed.', 'Funcionaría. No se ha cambiado nada.')}
        />
      )}
      <Facts
        items={[
          [t('Client', 'Cliente'), <code key="c">{cliente.cliente}</code>],
          ['Plan', cliente.plan],
          [t('Site', 'Sitio'), <code key="s">{sitio.domain}</code>],
          [
            t('Aliases', 'Alias'),
            sitio.aliases.length > 0 ? <code key="a">{sitio.aliases.join(' ')}</code> : null,
          ],
          [t('Zone', 'Zona'), sitio.zona ? <code key="z">{sitio.zona}</code> : null],
          [t('Node', 'Nodo'), <code key="n">{cliente.nodo}</code>],
          [t('Login', 'Acceso'), acceso ? `${acceso.correo}` : <State key="l" state="sin_acceso" />],
          [
            t('Would be done', 'Se haría'),
            hecho.length > 0 ? (
              <span className="chips" key="h">
                {hecho.map((step) => (
                  <span className="chip" key={step}>
                    {doneWords(step)}
                  </span>
                ))}
              </span>
            ) : (
              t('nothing: it is all there', 'nada: ya está todo')
            ),
          ],
        ]}
      />
    </div>
  )
}

/** The client's row alone: site and login come later. */
function ClientOnly() {
  const [form, setForm] = useState({ cliente: '', nombre: '', correo: '', referencia: '' })
  const [chosen, setPlan] = useState<PlanChoice>(undefined)
  const plan = usePlanChoice(chosen)
  const [, navigate] = useLocation()
  const set = (name: keyof typeof form) => (value: string) => setForm({ ...form, [name]: value })
  const { cliente, nombre, correo, referencia } = form
  const body = {
    cliente,
    ...(nombre ? { nombre } : {}),
    ...(correo ? { correo } : {}),
    ...(referencia ? { referencia } : {}),
    ...(plan ? { plan } : {}),
  }
  return (
    <div className="columns">
      <Card>
        <OpForm
          op="POST /api/clientes"
          input={{ body }}
          submit={t('Create', 'Crear')}
          complete={plan !== undefined}
          done={({ data }) => navigate(clientPath(data.cliente))}
        >
          {(error, tried) => (
            <>
              <TextField
                mono
                label={t('Client name', 'Nombre de cliente')}
                value={cliente}
                onChange={set('cliente')}
                error={error('cliente')}
                autoFocus
              />
              <div className="pair">
                <TextField
                  label={t('Display name', 'Nombre visible')}
                  value={nombre}
                  onChange={set('nombre')}
                  error={error('nombre')}
                />
                <TextField
                  label={t('E-mail', 'Correo')}
                  type="email"
                  value={correo}
                  onChange={set('correo')}
                  error={error('correo')}
                />
                <TextField
                  mono
                  label={t('Reference', 'Referencia')}
                  value={referencia}
                  onChange={set('referencia')}
                  error={error('referencia')}
                />
              </div>
              <PlanField value={plan} onChange={setPlan} error={error('plan')} tried={tried} />
            </>
          )}
        </OpForm>
      </Card>
      <p className="faint">
        {t(
          'A token can make a login only for a client that a token created; you can make one for any.',
          'Un token solo puede crear el acceso de un cliente creado por un token; usted, el de cualquiera.',
        )}{' '}
        <Link href="/panel/clientes/nuevo">{t('Make everything at once', 'Crear todo de una vez')}</Link>
      </p>
    </div>
  )
}
