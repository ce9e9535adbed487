import { Button } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { ShownOnce } from '../../ui/forms/shown-once.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Account } from './data.ts'
import { texts } from './texts.ts'

type Part = { cliente: string; account: Account; close: () => void }

const paramsOf = ({ cliente, account }: Part) => ({ cliente, cuenta: account.cuenta })

/** The keys that there are, each of which can go, and new ones beside them. */
export function Keys(part: Part) {
  const { account, close } = part
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [lines, setLines] = useState('')
  const added = lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const kept = account.llaves.map(({ huella }) => huella).filter((huella) => !gone.has(huella))
  const flip = (huella: string) => setGone((before) => before.symmetricDifference(new Set([huella])))
  return (
    <OpForm
      op="PUT /api/clientes/:cliente/cuentas-sftp/:cuenta/llaves"
      input={{ params: paramsOf(part), body: { llaves: [...kept, ...added] } }}
      submit={common.save}
      disabled={added.length === 0 && gone.size === 0}
      cancel={close}
      done={() => {
        announce(texts.keysSaved)
        close()
      }}
    >
      {(error) => (
        <>
          <div className="stack">
            <p className="strong small">{texts.keysThere}</p>
            {account.llaves.length === 0 ? <p className="faint small">{texts.noKeys}</p> : null}
            {account.llaves.map((key) => (
              <HeldKey
                key={key.huella}
                held={key}
                gone={gone.has(key.huella)}
                flip={() => flip(key.huella)}
              />
            ))}
          </div>
          <TextArea
            mono
            rows={5}
            label={texts.addKeys}
            description={texts.keysHint}
            value={lines}
            onChange={setLines}
            error={error('llaves')}
          />
        </>
      )}
    </OpForm>
  )
}

type HeldProps = { held: Account['llaves'][number]; gone: boolean; flip: () => void }

function HeldKey({ held: { huella, tipo, comentario }, gone, flip }: HeldProps) {
  const name = comentario || huella
  return (
    <div className="held-key">
      <p className={gone ? 'small faint gone' : 'small'}>
        <bdi className="strong">{comentario || texts.noComment}</bdi> <span className="faint">{tipo}</span>
        <br />
        <code className="break">{huella}</code>
      </p>
      <SmallButton onClick={flip} aria-label={gone ? texts.keepKey(name) : texts.removeKey(name)}>
        {gone ? texts.keep : texts.remove}
      </SmallButton>
    </div>
  )
}

/** The first thing that a new account needs. */
export function FirstCredential({ choose }: { choose: (what: 'password' | 'keys') => void }) {
  return (
    <div className="form">
      <p>{texts.howItSignsIn}</p>
      <div className="form-foot">
        <Button onClick={() => choose('password')}>{texts.byPassword}</Button>
        <Button variant="default" onClick={() => choose('keys')}>
          {texts.byKey}
        </Button>
      </div>
    </div>
  )
}

/** Makes a password, which is in this dialog and nowhere else. */
export function Password(part: Part) {
  const [made, setMade] = useState<string | null>(null)
  const { account, close } = part
  return (
    <Dialog title={`${texts.thePassword} · ${account.cuenta}`} opened close={close} once={made !== null}>
      {made === null ? (
        <MakePassword {...part} made={setMade} />
      ) : (
        <ShownOnce value={made} copy={texts.copyThePassword} lost={texts.whenLost} done={close} />
      )}
    </Dialog>
  )
}

function MakePassword({ made, ...part }: Part & { made: (value: string) => void }) {
  const { account, close } = part
  return (
    <div className="stack">
      <OpForm
        op="POST /api/clientes/:cliente/cuentas-sftp/:cuenta/contrasena"
        input={{ params: paramsOf(part) }}
        submit={account.contrasena ? texts.makeAnother : texts.makePassword}
        cancel={close}
        done={({ data }) => made(data.contrasena)}
      >
        {() => (
          <>
            <p>{texts.whatMakingDoes}</p>
            {account.contrasena ? <p>{texts.formerEnds}</p> : null}
          </>
        )}
      </OpForm>
      {account.contrasena ? (
        <OpForm
          op="DELETE /api/clientes/:cliente/cuentas-sftp/:cuenta/contrasena"
          input={{ params: paramsOf(part) }}
          submit={texts.takePasswordAway}
          danger
          done={() => {
            announce(texts.passwordGone)
            close()
          }}
        />
      ) : null}
    </div>
  )
}

export function Remove(part: Part) {
  return (
    <OpForm
      op="DELETE /api/clientes/:cliente/cuentas-sftp/:cuenta"
      input={{ params: paramsOf(part) }}
      submit={texts.deleteAccount}
      danger
      cancel={part.close}
      done={() => {
        announce(texts.accountDeleted)
        part.close()
      }}
    >
      {() => <p>{texts.whatDeletingDoes}</p>}
    </OpForm>
  )
}
