import { t } from '../../i18n/language.ts'

/** What a job does, in words; a kind that the interface does not know is shown as it came. */
export function jobWords(kind: string): string {
  const names: Record<string, string> = {
    'cliente.aplicar': t('Apply a client', 'Aplicar un cliente'),
    'cliente.eliminar': t('Delete a client', 'Eliminar un cliente'),
    'plan.aplicar': t('Apply a plan', 'Aplicar un plan'),
    'sitio.aplicar': t('Set up a site', 'Preparar un sitio'),
    'sitio.eliminar': t('Delete a site', 'Eliminar un sitio'),
    'zona.publicar': t('Publish a zone', 'Publicar una zona'),
    'zona.firmar': t('Sign a zone', 'Firmar una zona'),
    'zona.eliminar': t('Delete a zone', 'Eliminar una zona'),
    'zonas.auditar': t('Compare all zones', 'Comparar todas las zonas'),
  }
  return names[kind] ?? kind
}
