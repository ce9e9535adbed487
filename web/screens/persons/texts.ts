import { inLanguage } from '../../text/language.ts'

const en = {
  sendANewerLink: 'Send a new link',
  inviteAnAdministrator: 'Invite an administrator',
  sendTheInvitation: 'Send the invitation',
  linkIsOnItsWay: (email: string) => `A link is on its way to ${email}`,
  olderLinkStops: 'the previous link stops working; the new one works for one hour.',
  languageOfTheMail: 'Language of the mail',
  removeASecondFactor: 'Remove a second factor',
  removeTheFactor: 'Remove the factor',
  enrolsNewFactorNext: (who: string) => `${who} enrols a new factor at the next sign-in`,
  whatRemovingDoes:
    'enrols a new authenticator at the next sign-in. Sessions end, and the recovery codes stop working. Make sure that it is really this person who asks.',
  thisIsYourself: 'This is your own account: you will be signed out.',
  enableAnAdministrator: 'Enable an administrator',
  disableAnAdministrator: 'Disable an administrator',
  enable: 'Enable',
  disable: 'Disable',
  maySignInAgain: (who: string) => `${who} can sign in again`,
  isDisabled: (who: string) => `${who} is disabled`,
  whatEnablingDoes:
    'can sign in again with the same password and factor as before. Revoked tokens stay revoked.',
  whatDisablingDoes: 'cannot sign in any more; the open sessions and links end at once.',
  administrators: 'Administrators',
  whatAdministratorsAre:
    'They can do everything in the panel. They are invited by e-mail and choose their own password and second factor.',
  invite: 'Invite',
  nobodyYet: 'Nobody yet',
  notChosenYet: 'Not chosen yet',
  you: 'you',
  since: 'since',
  invited: 'Invited',
  yes: 'Yes',
  notYet: 'Not yet',
  tokens: 'Tokens',
  removeFactor: 'Remove factor',
}

const es: typeof en = {
  sendANewerLink: 'Enviar otro enlace',
  inviteAnAdministrator: 'Invitar a un administrador',
  sendTheInvitation: 'Enviar la invitación',
  linkIsOnItsWay: (email: string) => `Un enlace va camino de ${email}`,
  olderLinkStops: 'el enlace anterior deja de servir; el nuevo caduca una hora después de enviarse.',
  languageOfTheMail: 'Idioma del correo',
  removeASecondFactor: 'Quitar un segundo factor',
  removeTheFactor: 'Quitar el factor',
  enrolsNewFactorNext: (who: string) => `${who} inscribirá otro factor al entrar`,
  whatRemovingDoes:
    'inscribirá otro autenticador la próxima vez que entre. Sus sesiones terminan y sus códigos de recuperación dejan de valer. Asegúrese de que quien lo pide es esa persona.',
  thisIsYourself: 'Es su propia cuenta: saldrá del panel.',
  enableAnAdministrator: 'Activar a un administrador',
  disableAnAdministrator: 'Desactivar a un administrador',
  enable: 'Activar',
  disable: 'Desactivar',
  maySignInAgain: (who: string) => `${who} puede volver a entrar`,
  isDisabled: (who: string) => `${who} está desactivado`,
  whatEnablingDoes:
    'podrá volver a entrar con su contraseña y su factor de antes. Los tokens revocados siguen revocados.',
  whatDisablingDoes: 'ya no podrá entrar; sus sesiones y enlaces abiertos terminan en el acto.',
  administrators: 'Administradores',
  whatAdministratorsAre:
    'Personas que pueden hacerlo todo en el panel. Se las invita por correo y eligen su contraseña y su segundo factor.',
  invite: 'Invitar',
  nobodyYet: 'Aún no hay nadie',
  notChosenYet: 'Sin elegir',
  you: 'usted',
  since: 'desde',
  invited: 'Invitada',
  yes: 'Sí',
  notYet: 'Aún no',
  tokens: 'Tokens',
  removeFactor: 'Quitar factor',
}

export const texts = inLanguage({ en, es })
