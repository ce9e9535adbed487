import { useState } from 'react'
import { common } from '../../text/common.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { ShownOnce } from '../../ui/forms/shown-once.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Account } from './data.ts'
import { texts } from './texts.ts'

type Part = { cliente: string; account: Account; close: () => void }

const paramsOf = ({ cliente, account }: Part) => ({ cliente, cuenta: account.cuenta })

/** The panel knows fingerprints alone of the keys that there are: they are given anew as a whole. */
export function Keys(part: Part) {
  const [lines, setLines] = useState('')
  const llaves = lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const { account, close } = part
  return (
    <OpForm
      op="PUT /api/clientes/:cliente/cuentas-sftp/:cuenta/llaves"
      input={{ params: paramsOf(part), body: { llaves } }}
      submit={common.save}
      cancel={close}
      done={() => {
        announce(texts.keysSaved)
        close()
      }}
    >
      {(error) => (
        <>
          <div>
            <p className="strong small">{texts.keysThere}</p>
            {account.llaves.length === 0 ? <p className="faint small">{texts.noKeys}</p> : null}
            {account.llaves.map(({ huella, tipo, comentario }) => (
              <p key={huella} className="small">
                <code className="break">{huella}</code>{' '}
                <span className="faint">
                  {tipo} <bdi>{comentario}</bdi>
                </span>
              </p>
            ))}
          </div>
          <TextArea
            mono
            rows={5}
            label={texts.publicKeys}
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
