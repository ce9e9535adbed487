import { useState } from 'react'
import { t } from '../../i18n/language.ts'
import { Choice } from '../../ui/fields.tsx'
import { OpForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Me } from './account.tsx'

/** The language of the mails to this person; that of the screens is the browser's, and has its own button. */
export function MailLanguage({ idioma }: { idioma: Me['idioma'] }) {
  const [chosen, setChosen] = useState(idioma)
  return (
    <Card title={t('Language of your mails', 'Idioma de sus correos')}>
      <OpForm
        op="PATCH /api/yo"
        input={{ body: { idioma: chosen } }}
        submit={t('Save', 'Guardar')}
        disabled={chosen === idioma}
        done={() => announce(t('Saved.', 'Guardado.'))}
      >
        {(error) => (
          <Choice
            label={t('Language', 'Idioma')}
            description={t(
              'Only of mails: the screens are switched at the top.',
              'Solo de los correos: el de las pantallas se cambia arriba.',
            )}
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
