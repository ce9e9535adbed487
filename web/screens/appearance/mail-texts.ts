import type { OutputOf } from '../../api/operations.ts'
import { inLanguage } from '../../text/language.ts'

export type MailText = OutputOf<'GET /api/correo/textos'>['datos'][number]
export type MailKind = MailText['clase']

const en = {
  mails: 'Mails',
  mailsLead:
    'What the mails say, in your words. Greeting, link and foot stay as they are; what is sent from now on has them.',
  mail: 'Mail',
  subjectInSpanish: 'Subject in Spanish',
  subjectInEnglish: 'Subject in English',
  textInSpanish: 'Text in Spanish',
  textInEnglish: 'Text in English',
  saveMail: 'Save this mail',
  values: (values: string) => `Values that it may name: ${values}. An empty line begins a new paragraph.`,
  ownWords: 'your words',
  putBack: 'Put the panel’s words back',
  wereBack: 'The panel’s words are back.',
}

const es: typeof en = {
  mails: 'Correos',
  mailsLead:
    'Lo que dicen los correos, con sus palabras. El saludo, el enlace y el pie no cambian; las llevan los que se envíen desde ahora.',
  mail: 'Correo',
  subjectInSpanish: 'Asunto en español',
  subjectInEnglish: 'Asunto en inglés',
  textInSpanish: 'Texto en español',
  textInEnglish: 'Texto en inglés',
  saveMail: 'Guardar este correo',
  values: (values) => `Valores que puede nombrar: ${values}. Una línea vacía empieza un párrafo nuevo.`,
  ownWords: 'con sus palabras',
  putBack: 'Reponer las palabras del panel',
  wereBack: 'Vuelven a valer las palabras del panel.',
}

export const texts = inLanguage({ en, es })

export const mailNames = inLanguage<Record<MailKind, string>>({
  en: {
    activacion: 'First mail to a customer',
    restablecer: 'New password',
    invitacion: 'Invitation of an administrator',
    correo_cambiado: 'Address changed',
    confirmar_correo: 'Confirm a new address',
    correo_pedido: 'Change of address requested',
    token_caduca: 'Token about to expire',
    tokens_revocados: 'Tokens revoked',
    llave_anadida: 'Passkey added',
    contrasena_cambiada: 'Password changed',
    cuota_aviso: 'Close to a limit',
    correos_agotados: 'No more mails today',
    correos_sin_enviar: 'Mails not sent',
    copia_fallida: 'Backup failed',
    copias_danadas: 'Backups damaged',
    version_nueva: 'New version',
    aviso_apagado: 'Webhook switched off',
    programada_fallida: 'Task failed',
    prueba: 'Test mail',
    proveedor_rechazado: 'Provider refused the credential',
    proveedor_casi_lleno: 'Provider almost full',
    espejo_retirado: 'Zone dropped from the mirror',
  },
  es: {
    activacion: 'Primer correo a un cliente',
    restablecer: 'Contraseña nueva',
    invitacion: 'Invitación de un administrador',
    correo_cambiado: 'Dirección cambiada',
    confirmar_correo: 'Confirmar una dirección nueva',
    correo_pedido: 'Cambio de dirección pedido',
    token_caduca: 'Token a punto de caducar',
    tokens_revocados: 'Tokens revocados',
    llave_anadida: 'Llave de acceso añadida',
    contrasena_cambiada: 'Contraseña cambiada',
    cuota_aviso: 'Cerca de un límite',
    correos_agotados: 'Correos del día agotados',
    correos_sin_enviar: 'Correos sin enviar',
    copia_fallida: 'Copia fallida',
    copias_danadas: 'Copias dañadas',
    version_nueva: 'Versión nueva',
    aviso_apagado: 'Webhook apagado',
    programada_fallida: 'Tarea fallida',
    prueba: 'Correo de prueba',
    proveedor_rechazado: 'El proveedor rechazó la credencial',
    proveedor_casi_lleno: 'Proveedor casi lleno',
    espejo_retirado: 'Zona retirada del espejo',
  },
})
