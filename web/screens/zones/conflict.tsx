import { Button } from '@mantine/core'
import { t } from '../../i18n/language.ts'
import { Note } from '../../ui/state.tsx'
import { type Rrset, sameRrset } from './records-data.ts'

type Props = {
  /** The record set as it was when the form was opened, and as it is now. */
  before: Rrset | null
  now: Rrset | null
  /** Goes on from what is there now. */
  keep: (now: Rrset | null) => void
  drop: () => void
}

/** Somebody else changed the zone meanwhile: what of it concerns this form, and the two ways on. */
export function Conflict({ before, now, keep, drop }: Props) {
  if (sameRrset(before, now)) {
    return (
      <Note
        tone="info"
        title={t(
          'The zone was changed meanwhile, but not this record set.',
          'La zona ha cambiado mientras tanto, pero no estos registros.',
        )}
      >
        <p>
          <Button size="compact-sm" variant="default" onClick={() => keep(now)}>
            {t('Go on from there', 'Seguir desde ahí')}
          </Button>
        </p>
      </Note>
    )
  }
  return (
    <Note
      tone="warn"
      title={t(
        'Somebody changed this record set meanwhile.',
        'Alguien ha cambiado estos registros mientras tanto.',
      )}
    >
      {now ? (
        <>
          <p>
            {t('It is now:', 'Ahora son:')} TTL {now.ttl}
          </p>
          <ul className="rr-list-values">
            {now.valores.map((value) => (
              <li key={value}>
                <code>{value}</code>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>{t('It was deleted.', 'Se han eliminado.')}</p>
      )}
      <p className="actions">
        <Button size="compact-sm" variant="default" onClick={() => keep(now)}>
          {t('Keep mine, in its place', 'Poner los míos en su lugar')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={drop}>
          {t('Leave it as it is', 'Dejarlo como está')}
        </Button>
      </p>
    </Note>
  )
}
