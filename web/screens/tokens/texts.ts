import { inLanguage } from '../../text/language.ts'

const en = {
  theTokenIsReady: 'The token is ready',
  newApiToken: 'New API token',
  from: 'From',
  to: 'to',
  createTheToken: 'Create the token',
  nameHint: 'What will use it, such as the billing system.',
  lastDay: 'Last day',
  goodThroughDayUtc: (bounds: string) => `${bounds} It is good through that day (UTC).`,
  oneYear: 'One year',
  days: (days: number) => `${days} days`,
  whenLost: 'The panel keeps no readable copy: if it is lost, create another.',
  goodUntil: 'good until',
  copyTheToken: 'Copy the token',
  tryToken: 'To try it, with the token in',
  revokeAToken: 'Revoke a token',
  revoke: 'Revoke',
  isRevoked: (name: string) => `${name} is revoked`,
  whatRevokingDoes:
    'Whatever uses it is refused at its next request. A revoked token cannot be brought back.',
  lastUsed: 'Last used',
  fromAddress: 'from',
  itWasNeverUsed: 'It has never been used.',
  newToken: 'New token',
  whatTokensAre:
    'Programs call the panel with a token. It can do what an administrator can, except what needs a person.',
  noTokenBegins: 'No token begins with that',
  noTokensYet: 'No tokens yet',
  oneForEachProgram:
    'Create one for each program that calls the panel, so that each can be revoked by itself.',
  lastUse: 'Last use',
  madeBy: 'Made by',
  revoked: 'revoked',
  never: 'never',
}

const es: typeof en = {
  theTokenIsReady: 'El token está listo',
  newApiToken: 'Nuevo token de API',
  from: 'Desde el',
  to: 'hasta el',
  createTheToken: 'Crear el token',
  nameHint: 'Qué lo usará; por ejemplo, la facturación.',
  lastDay: 'Último día',
  goodThroughDayUtc: (bounds: string) => `${bounds} Vale hasta el final de ese día (UTC).`,
  oneYear: 'Un año',
  days: (days: number) => `${days} días`,
  whenLost: 'El panel no guarda ninguna copia legible: si se pierde, cree otro.',
  goodUntil: 'vale hasta el',
  copyTheToken: 'Copiar el token',
  tryToken: 'Para probarlo, con el token en',
  revokeAToken: 'Revocar un token',
  revoke: 'Revocar',
  isRevoked: (name: string) => `${name} está revocado`,
  whatRevokingDoes:
    'Lo que lo use será rechazado en su siguiente petición. Un token revocado no se puede recuperar.',
  lastUsed: 'Último uso',
  fromAddress: 'desde',
  itWasNeverUsed: 'No se ha usado nunca.',
  newToken: 'Nuevo token',
  whatTokensAre:
    'Un programa llama al panel con un token. Puede lo que un administrador, salvo lo que requiere una persona.',
  noTokenBegins: 'Ningún token empieza así',
  noTokensYet: 'Aún no hay tokens',
  oneForEachProgram: 'Cree uno para cada programa que llame al panel: así cada uno se puede revocar solo.',
  lastUse: 'Último uso',
  madeBy: 'Creado por',
  revoked: 'revocado',
  never: 'nunca',
}

export const texts = inLanguage({ en, es })
