import { useState } from 'react'
import { common } from '../../text/common.ts'
import { Choice } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Card } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Me } from './data.ts'
import { texts } from './texts.ts'

/** The language of the mails to this person; that of the screens is the browser's, and has its own button. */
export function MailLanguage({ idioma }: { idioma: Me['idioma'] }) {
  const [chosen, setChosen] = useState(idioma)
  return (
    <Card title={texts.languageOfYourMails}>
      <OpForm
        op="PATCH /api/yo"
        input={{ body: { idioma: chosen } }}
        submit={common.save}
        disabled={chosen === idioma}
        done={() => announce(common.saved)}
      >
        {(error) => (
          <Choice
            label={texts.language}
            description={texts.mailLanguageHint}
            value={chosen}
            onChange={(value) => setChosen(value === 'es' ? 'es' : 'en')}
            error={error('idioma')}
            options={[
              { value: 'es', label: 'Español' },
              { value: 'en', label: 'English' },
            ]}
          />
        )}
      </OpForm>
    </Card>
  )
}
