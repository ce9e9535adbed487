import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { ApiError } from '../../../api/errors.ts'
import type { InputOf } from '../../../api/operations.ts'
import { number } from '../../../text/format.ts'
import { SmallButton } from '../../../ui/small-button.tsx'
import { Note } from '../../../ui/state.tsx'
import { shownName } from '../paths.ts'
import { texts } from '../texts.ts'

export const OPERATE = 'POST /api/sitios/:domain/archivos/operaciones'
export type OperationBody = InputOf<typeof OPERATE>['body']

type Answer = 'sustituir' | 'omitir'
type Existing = { ruta: string; sustituible: boolean }
type Answers = { of: string; all: Answer | null; each: ReadonlyMap<string, Answer> }

/** What a refusal names as being in the way; null for any other. */
function existingIn({ codigo, members }: ApiError): { named: Existing[]; total: number } | null {
  const { existentes: named, existentes_total: total } = members
  if (codigo !== 'ya_existe' || !Array.isArray(named)) return null
  // As docs/api.md has it.
  return { named: named as Existing[], total: typeof total === 'number' ? total : named.length }
}

export type ExistingChoice = {
  /** What is sent, with the answers there are. */
  body: OperationBody
  /** The question about what is in the way; undefined for a refusal of another kind. */
  question: (error: ApiError) => React.ReactNode
}

/** Asks for each file that is in the way, or once for all of them, as uploads do. The answers are for what was asked. */
export function useExisting(asked: OperationBody, merges: boolean): ExistingChoice {
  const of = JSON.stringify(asked)
  const [held, setHeld] = useState<Answers>({ of, all: null, each: new Map() })
  const answers = held.of === of ? held : { of, all: null, each: new Map<string, Answer>() }
  const paths = (answer: Answer) =>
    [...answers.each].filter(([, one]) => one === answer).map(([path]) => path)
  return {
    body: merges
      ? ({
          ...asked,
          si_existe: answers.all ?? 'rechazar',
          ...filled('sustituir', paths('sustituir')),
          ...filled('omitir', paths('omitir')),
        } as OperationBody)
      : asked,
    question(error) {
      const existing = merges ? existingIn(error) : null
      if (existing === null) return undefined
      // What was refused was asked for otherwise.
      if (held.of !== of && held.each.size > 0) return null
      return <Question {...existing} answers={answers} answer={setHeld} />
    },
  }
}

const filled = (name: Answer, paths: string[]) => (paths.length > 0 ? { [name]: paths } : {})

type QuestionProps = {
  named: Existing[]
  total: number
  answers: Answers
  answer: (answers: Answers) => void
}

function Question({ named, total, answers, answer }: QuestionProps) {
  const all = (one: Answer) =>
    answer({
      ...answers,
      all: one,
      each: new Map(named.map(({ ruta, sustituible }) => [ruta, sustituible ? one : 'omitir'])),
    })
  return (
    <div role="alert">
      <Note tone="warn" title={total === 1 ? texts.oneExists : texts.manyExist(number(total))}>
        {named.length > 1 ? (
          <div className="actions">
            <SmallButton onClick={() => all('sustituir')}>{texts.replaceAll}</SmallButton>
            <SmallButton onClick={() => all('omitir')}>{texts.skipAll}</SmallButton>
          </div>
        ) : null}
        <ul className="file-existing">
          {named.map((one) => (
            <li key={one.ruta}>
              <bdi className="mono">{shownName(one.ruta)}</bdi>
              <Choose
                existing={one}
                value={answers.each.get(one.ruta) ?? ''}
                onChange={(value) => answer({ ...answers, each: new Map(answers.each).set(one.ruta, value) })}
              />
            </li>
          ))}
        </ul>
        {total > named.length ? <p>{texts.andMore(number(total - named.length))}</p> : null}
        <p>{texts.thenAgain}</p>
      </Note>
    </div>
  )
}

type ChooseProps = { existing: Existing; value: string; onChange: (answer: Answer) => void }

const Choose = ({ existing: { ruta, sustituible }, value, onChange }: ChooseProps) => (
  <SegmentedControl
    size="xs"
    aria-label={texts.whatOf(shownName(ruta))}
    value={value}
    onChange={(chosen) => onChange(chosen === 'sustituir' ? 'sustituir' : 'omitir')}
    data={[
      { value: 'sustituir', label: texts.replace, disabled: !sustituible },
      { value: 'omitir', label: texts.skip },
    ]}
  />
)
