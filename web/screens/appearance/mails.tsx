import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { Choice, TextArea, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import { type MailKind, type MailText, mailNames, texts } from './mail-texts.ts'

type Language = 'es' | 'en'
const LANGUAGES: Language[] = ['es', 'en']
const labelsOf = (language: Language) =>
  language === 'es'
    ? { subject: texts.subjectInSpanish, text: texts.textInSpanish }
    : { subject: texts.subjectInEnglish, text: texts.textInEnglish }

/** The operator's words of each kind of mail. */
export function Mails() {
  const read = useRead('GET /api/correo/textos', {})
  const [kind, setKind] = useState<MailKind>('activacion')
  return (
    <Card title={texts.mails}>
      <p className="muted">{texts.mailsLead}</p>
      <Loaded of={read}>
        {({ datos }) => (
          <div className="stack">
            <Choice
              label={texts.mail}
              value={kind}
              onChange={(value) => setKind(value as MailKind)} // One of the options below.
              options={datos.map(({ clase, propio }) => ({
                value: clase,
                label: propio ? `${mailNames[clase]} (${texts.ownWords})` : mailNames[clase],
              }))}
            />
            {datos
              .filter(({ clase }) => clase === kind)
              .map((text) => (
                <OneMail key={JSON.stringify(text)} text={text} />
              ))}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function OneMail({ text: { clase, propio, textos, valores } }: { text: MailText }) {
  const [words, setWords] = useState(textos)
  const write = (language: Language, part: Partial<MailText['textos']['es']>) =>
    setWords({ ...words, [language]: { ...words[language], ...part } })
  const values = texts.values(valores.map((value) => `{${value}}`).join(' '))
  return (
    <>
      <OpForm
        op="PUT /api/correo/textos/:clase"
        input={{ params: { clase }, body: words }}
        submit={texts.saveMail}
        done={() => announce(common.saved)}
      >
        {(error) =>
          LANGUAGES.map((language) => (
            <div key={language} className="stack">
              <TextField
                label={labelsOf(language).subject}
                value={words[language].asunto}
                onChange={(asunto) => write(language, { asunto })}
                error={error(`${language}.asunto`)}
                max={200}
              />
              <TextArea
                label={labelsOf(language).text}
                description={values}
                value={words[language].texto}
                onChange={(texto) => write(language, { texto })}
                error={error(`${language}.texto`)}
                rows={5}
              />
            </div>
          ))
        }
      </OpForm>
      {propio ? (
        <OpForm
          op="DELETE /api/correo/textos/:clase"
          input={{ params: { clase } }}
          submit={texts.putBack}
          danger
          done={() => announce(texts.wereBack)}
        />
      ) : null}
    </>
  )
}
