import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAction } from '../../api/hooks.ts'
import type { InputOf, OutputOf } from '../../api/operations.ts'
import { clientPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { language } from '../../text/language.ts'
import { doneWords } from '../../text/states.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Choice, EmailField, HostField, TextField } from '../../ui/forms/fields.tsx'
import { type FieldErrors, OpForm } from '../../ui/forms/form.tsx'
import { isClientName, isEmail, optional, required } from '../../ui/forms/rules.ts'
import { Card, Facts, PageHead, TabLinks } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { type PlanChoice, PlanField, usePlanChoice } from '../plans/choice.tsx'
import { NewAliasesFields } from '../sites/new-aliases.tsx'
import { siteNamesOf } from '../sites/new-names.ts'
import { texts } from './texts.ts'

type Provision = OutputOf<'PUT /api/altas/:referencia'>
type Input = InputOf<'PUT /api/altas/:referencia'>

/** A new client: with site, zone and login in one request, or its row alone. */
export default function NewClient() {
  const alone = new URLSearchParams(location.search).has('solo')
  return (
    <>
      <PageHead title={common.newClient} wire={alone ? 'POST /api/clientes' : 'PUT /api/altas/:referencia'} />
      <TabLinks
        label={texts.kind}
        current={alone ? 'solo' : 'alta'}
        tabs={[
          {
            id: 'alta',
            href: '/panel/clientes/nuevo',
            label: texts.completeClientSiteLogin,
          },
          { id: 'solo', href: '/panel/clientes/nuevo?solo', label: texts.clientOnly },
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
          submit={texts.createAllOfIt}
          complete={form.plan !== undefined}
          done={({ data }) => {
            announce(texts.created)
            navigate(clientPath(data.cliente.cliente))
          }}
          beside={
            <Button
              variant="default"
              loading={dry.busy}
              disabled={form.plan === undefined}
              onClick={simulate}
            >
              {texts.dryRun}
            </Button>
          }
        >
          {(error, tried) => (
            <>
              <Fields form={form} set={set} error={error} tried={tried} />
              <TextField
                mono
                label={texts.reference}
                description={texts.sameReferenceHint}
                value={referencia}
                onChange={setReferencia}
                check={required}
                error={error('referencia')}
              />
            </>
          )}
        </OpForm>
      </Card>
      <div className="stack">
        <Card title={texts.whatWouldHappen}>
          {dry.error ? <ErrorNote error={dry.error} /> : null}
          {!dry.error && preview ? <Preview provision={preview.data} stale={preview.of !== shown} /> : null}
          {!dry.error && !preview ? <p className="faint">{texts.whatDryRunDoes}</p> : null}
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
  const { cliente, nombre, correo, plan, idioma, enviar } = form
  return {
    params: { referencia },
    body: {
      ...(cliente ? { cliente } : {}),
      ...(nombre ? { nombre } : {}),
      correo,
      ...siteNamesOf(form),
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
        <HostField
          label={common.domain}
          value={form.domain}
          onChange={set('domain')}
          error={error('domain')}
          placeholder="ejemplo.es"
          autoFocus
        />
        <EmailField
          label={texts.customersEMail}
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
          label={texts.clientName}
          description={texts.clientNameHint}
          value={form.cliente}
          onChange={set('cliente')}
          check={optional(isClientName)}
          error={error('cliente')}
        />
        <TextField
          label={texts.displayName}
          description={texts.displayNameHint}
          value={form.nombre}
          onChange={set('nombre')}
          error={error('nombre')}
        />
        <Choice
          label={texts.languageOfTheMails}
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
        label={texts.makeLoginMailActivation}
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
        <Note tone="warn" title={texts.formChangedSince} />
      ) : (
        <Note tone="good" title={texts.wouldWorkNothingChanged} />
      )}
      <Facts
        items={[
          [common.client, <code key="c">{cliente.cliente}</code>],
          ['Plan', cliente.plan],
          [texts.site, <code key="s">{sitio.domain}</code>],
          [common.aliases, sitio.aliases.length > 0 ? <code key="a">{sitio.aliases.join(' ')}</code> : null],
          [common.zone, sitio.zona ? <code key="z">{sitio.zona}</code> : null],
          [common.node, <code key="n">{cliente.nodo}</code>],
          [texts.login, acceso ? `${acceso.correo}` : <State key="l" state="sin_acceso" />],
          [
            texts.wouldBeDone,
            hecho.length > 0 ? (
              <span className="chips" key="h">
                {hecho.map((step) => (
                  <span className="chip" key={step}>
                    {doneWords(step)}
                  </span>
                ))}
              </span>
            ) : (
              texts.nothingToDo
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
          submit={common.create}
          complete={plan !== undefined}
          done={({ data }) => navigate(clientPath(data.cliente))}
        >
          {(error, tried) => (
            <>
              <TextField
                mono
                label={texts.clientName}
                value={cliente}
                onChange={set('cliente')}
                check={isClientName}
                error={error('cliente')}
                autoFocus
              />
              <div className="pair">
                <TextField
                  label={texts.displayName}
                  value={nombre}
                  onChange={set('nombre')}
                  error={error('nombre')}
                />
                <EmailField
                  label={common.eMail}
                  check={optional(isEmail)}
                  value={correo}
                  onChange={set('correo')}
                  error={error('correo')}
                />
                <TextField
                  mono
                  label={texts.reference}
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
        {texts.whoMayMakeLogins} <Link href="/panel/clientes/nuevo">{texts.makeEverythingAtOnce}</Link>
      </p>
    </div>
  )
}
