import { COPY_MAILS } from './copies/mails.ts'

/**
 * Subject and paragraphs of the mails. `{name}` is a value of the mail's payload, `{panel}` the panel's address, `{host}`
 * its host name, and `{empresa}` the operator's name or else the host; the activation mail has `welcomeValues` too. A
 * one-time link, with `button` as its label, follows the paragraphs. One of `after` is left out if a value is empty.
 */
type Text = { subject: string; paragraphs: string[]; button?: string; after?: string[] }

const TEXTS = {
  activacion: {
    es: {
      subject: 'Su alojamiento {cliente} en {empresa} está listo: active su acceso',
      paragraphs: [
        'Su alojamiento está listo. Con este enlace elige su contraseña y protege su cuenta con el móvil. Caduca en una hora y solo se puede usar una vez.',
      ],
      button: 'Activar mi acceso',
      after: [
        'Si el enlace ha caducado, pida otro en {panel}/enlace.',
        'Después queda esto por hacer con {dominio}; el panel le acompaña.',
        '1. Publique {dominio}: suba sus archivos desde el panel o por SFTP, o instale WordPress.',
        '2. Conecte {dominio}: en la empresa donde lo registró, ponga los servidores DNS {servidores}.',
        'Si el DNS del dominio se queda en otro sitio, ponga allí en su lugar estos registros para {nombres}: {registros}.',
        '2. Conecte {dominio}: en su proveedor de DNS, ponga estos registros para {nombres}: {solo_registros}.',
      ],
    },
    en: {
      subject: 'Your hosting {cliente} at {empresa} is ready: activate your login',
      paragraphs: [
        'Your hosting is ready. With this link you choose your password and protect your account with your phone. It works once and expires in an hour.',
      ],
      button: 'Activate my login',
      after: [
        'If the link has expired, request another at {panel}/enlace.',
        'This is left to do for {dominio}; the panel takes you through it.',
        '1. Put {dominio} online: upload your files in the panel or over SFTP, or install WordPress.',
        '2. Connect {dominio}: at the company where you registered it, enter the name servers {servidores}.',
        'If the DNS of the domain stays elsewhere, set these records there instead, for {nombres}: {registros}.',
        '2. Connect {dominio}: at your DNS provider, set these records for {nombres}: {solo_registros}.',
      ],
    },
  },
  restablecer: {
    es: {
      subject: 'Elija una contraseña nueva para {cliente}',
      paragraphs: [
        'Se pidió una contraseña nueva para su acceso. El enlace caduca en una hora y solo se puede usar una vez. Las llaves de acceso que tuviera dejan de servir y puede volver a añadirlas; el código de su móvil no cambia.',
        'Si no lo pidió usted, no haga nada: su contraseña sigue siendo la misma.',
      ],
      button: 'Elegir contraseña',
    },
    en: {
      subject: 'Choose a new password for {cliente}',
      paragraphs: [
        'A new password was requested. The link works once and expires in an hour. Passkeys that you have added stop working and can be added again; the codes of your phone stay as they are.',
        'If it was not you, do nothing: your password has not changed.',
      ],
      button: 'Choose a password',
    },
  },
  invitacion: {
    es: {
      subject: 'Invitación al panel {host}',
      paragraphs: [
        'Se le ha invitado a administrar el panel {host}. El enlace caduca en una hora y solo se puede usar una vez.',
      ],
      button: 'Aceptar la invitación',
    },
    en: {
      subject: 'Invitation to the panel {host}',
      paragraphs: ['You are invited to administer the panel {host}. The link works once and lasts an hour.'],
      button: 'Accept the invitation',
    },
  },
  correo_cambiado: {
    es: {
      subject: 'Ha cambiado el correo de recuperación de {cliente}',
      paragraphs: [
        'El correo de recuperación pasa de {antes} a {ahora}.',
        'Si no lo hizo usted, avise a su proveedor de alojamiento.',
      ],
    },
    en: {
      subject: 'The recovery address of {cliente} has changed',
      paragraphs: [
        'The recovery address changes from {antes} to {ahora}.',
        'If it was not you, tell your hosting provider.',
      ],
    },
  },
  confirmar_correo: {
    es: {
      subject: 'Confirme su nuevo correo para {cliente}',
      paragraphs: [
        'Se pidió usar esta dirección ({ahora}) para el acceso a {cliente}. Confírmela con este enlace, que caduca en una hora y solo se puede usar una vez.',
        'Si no lo pidió usted, no haga nada.',
      ],
      button: 'Confirmar esta dirección',
    },
    en: {
      subject: 'Confirm your new address for {cliente}',
      paragraphs: [
        'This address ({ahora}) is to be used for the login of {cliente}. Confirm it with this link, which works once and expires in an hour.',
        'If it was not you who asked, do nothing.',
      ],
      button: 'Confirm this address',
    },
  },
  correo_pedido: {
    es: {
      subject: 'Se ha pedido cambiar el correo de {cliente}',
      paragraphs: [
        'Se ha pedido que el correo de recuperación sea {ahora}. Hasta que se confirme desde esa dirección, sigue valiendo la de ahora.',
        'Si no lo hizo usted, cambie su contraseña y avise a su proveedor de alojamiento.',
      ],
    },
    en: {
      subject: 'A new address was requested for {cliente}',
      paragraphs: [
        'The recovery address is to become {ahora}. Until that address is confirmed, the present one stays in force.',
        'If it was not you, change your password and tell your hosting provider.',
      ],
    },
  },
  token_caduca: {
    es: {
      subject: 'El token «{nombre}» caduca el {caduca}',
      paragraphs: [
        'El token de API «{nombre}» ({pista}) se ha usado y deja de funcionar después del {caduca}. Días que faltan: {dias}.',
        'Cree otro en {panel} y cámbielo donde se use.',
      ],
    },
    en: {
      subject: 'The token “{nombre}” expires on {caduca}',
      paragraphs: [
        'The API token “{nombre}” ({pista}) is in use and stops working after {caduca}. Days left: {dias}.',
        'Create another at {panel} and replace it where it is used.',
      ],
    },
  },
  tokens_revocados: {
    es: {
      subject: 'Tokens de {creador} revocados',
      paragraphs: [
        'Al cambiar o restablecer las credenciales de {creador}, o al desactivar su acceso, se revocaron sus tokens de API: {tokens}.',
        'Las integraciones que los usaban ya no funcionan.',
      ],
    },
    en: {
      subject: 'Tokens of {creador} revoked',
      paragraphs: [
        'Changing, resetting or disabling the credentials of {creador} revoked these API tokens: {tokens}.',
        'Integrations that used them no longer work.',
      ],
    },
  },
  llave_anadida: {
    es: {
      subject: 'Se ha añadido una llave de acceso a su cuenta en {host}',
      paragraphs: [
        'La llave de acceso «{nombre}» ya sirve para entrar como {cuenta}, sin contraseña ni código. Si no la añadió usted, quítela en {panel}/panel/cuenta, cambie allí su contraseña y avise a quien administra el panel.',
      ],
    },
    en: {
      subject: 'A passkey was added to your account at {host}',
      paragraphs: [
        'The passkey “{nombre}” now signs in as {cuenta}, without a password or a code. If you did not add it, remove it at {panel}/panel/cuenta, change your password there, and tell whoever runs the panel.',
      ],
    },
  },
  contrasena_cambiada: {
    es: {
      subject: 'Se ha cambiado su contraseña en {host}',
      paragraphs: [
        'La contraseña de {cuenta} ha cambiado, y se han cerrado las demás sesiones. Si la cambió usted, no tiene que hacer nada. Si no fue usted, elija otra enseguida en {panel}/enlace y avise a quien administra el panel.',
      ],
    },
    en: {
      subject: 'Your password at {host} was changed',
      paragraphs: [
        'The password of {cuenta} was changed, and all other sessions were ended. If you changed it, there is nothing to do. If you did not, choose another at once at {panel}/enlace and tell whoever runs the panel.',
      ],
    },
  },
  cuota_aviso: {
    es: {
      subject: '{cliente}: {recurso} al {porcentaje} %',
      paragraphs: [
        'Ha usado {usado} de {limite} ({recurso}). Al llegar al límite de disco o de archivos no se podrá escribir más.',
      ],
    },
    en: {
      subject: '{cliente}: {recurso} at {porcentaje}%',
      paragraphs: [
        'You have used {usado} of {limite} ({recurso}). Once the limit of disk space or files is reached, nothing more can be written.',
      ],
    },
  },
  correos_agotados: {
    es: {
      subject: '{cliente}: sus programas no pueden enviar más correos por ahora',
      paragraphs: [
        'Los programas de {cliente} han escrito en 24 horas a tantos destinatarios como admite su límite: {numero}.',
        'Hasta que pasen 24 horas de esos envíos, mail() falla y lo anota en el registro de PHP. Si no esperaba tantos correos, revise los formularios y los programas de sus sitios.',
      ],
    },
    en: {
      subject: '{cliente}: its programs cannot send more mail for now',
      paragraphs: [
        'In 24 hours the programs of {cliente} have written to as many recipients as its limit allows: {numero}.',
        "Until 24 hours have passed since then, mail() fails and says so in PHP's log. If you did not expect so much mail, look at the forms and programs of your sites.",
      ],
    },
  },
  correos_sin_enviar: {
    es: {
      subject: '{cliente}: correos de sus programas sin enviar',
      paragraphs: [
        'El servidor de correo no ha aceptado en un día algún correo de los programas de {cliente}, y ya no se intenta más. En la carpeta de correo del cliente hay {numero} sin enviar, con nombres que empiezan por «unsent-».',
        'Mañana se le escribirá de nuevo si vuelve a ocurrir.',
      ],
    },
    en: {
      subject: '{cliente}: mail of its programs was not sent',
      paragraphs: [
        "For a day the mail server has not taken some mail of {cliente}'s programs, and it is not tried any more. In the client's mail directory {numero} lie unsent, with names that begin with 'unsent-'.",
        'You will be written to again if it happens another day.',
      ],
    },
  },
  ...COPY_MAILS,
  version_nueva: {
    es: {
      subject: 'Versión nueva del panel: {version}',
      paragraphs: [
        'El panel {host} tiene la versión {actual}, y ya existe la {version}.',
        'No se instala sola. El guion deploy/systemd/upgrade.sh de la versión nueva hace antes una copia de la base de datos y, si algo deja de funcionar, vuelve a la versión anterior.',
      ],
    },
    en: {
      subject: 'New version of the panel: {version}',
      paragraphs: [
        'The panel {host} has version {actual}, and {version} is available.',
        'Nothing is installed by itself. The script deploy/systemd/upgrade.sh of the newer version backs up the database first, and goes back to the former version if anything stops working.',
      ],
    },
  },
  aviso_apagado: {
    es: {
      subject: 'El panel ya no envía eventos a {destino}',
      paragraphs: [
        'El panel ha apagado el webhook de {destino}. El motivo está en {panel}/panel/avisos, y allí puede encenderlo de nuevo.',
        'Lo que esperaba ya no se enviará. Los eventos se conservan noventa días: GET /api/eventos dice cuáles faltan.',
      ],
    },
    en: {
      subject: 'The panel sends no more events to {destino}',
      paragraphs: [
        'The panel switched the webhook at {destino} off. {panel}/panel/avisos tells why, and there you can switch it on again.',
        'What was waiting will not be sent. Events are kept for ninety days: GET /api/eventos tells which are missing.',
      ],
    },
  },
  programada_fallida: {
    es: {
      subject: '{sitio}: una tarea programada ha fallado',
      paragraphs: [
        'La tarea «{orden}» de {sitio} ha terminado con el código {codigo}.',
        'Todo lo que escribió está en {panel}/panel/sitios/{sitio}/detalle',
        'Mientras siga fallando no recibirá más avisos.',
      ],
      after: ['Lo primero que escribió: {linea1}', '{linea2}', '{linea3}'],
    },
    en: {
      subject: '{sitio}: a scheduled task failed',
      paragraphs: [
        'The task "{orden}" of {sitio} ended with code {codigo}.',
        'All that it wrote is at {panel}/panel/sitios/{sitio}/detalle',
        'You will get no further mail while it keeps failing.',
      ],
      after: ['The first that it wrote: {linea1}', '{linea2}', '{linea3}'],
    },
  },
  prueba: {
    es: {
      subject: 'Correo de prueba del panel {host}',
      paragraphs: [
        'Este correo se pidió en el panel {host}. Si lo lee, el panel puede enviar correo: los enlaces de acceso y los avisos llegarán a sus clientes.',
        'No hace falta que haga nada.',
      ],
    },
    en: {
      subject: 'Test mail from the panel {host}',
      paragraphs: [
        'This mail was requested in the panel {host}. If you read it, the panel can send mail: sign-in links and notices will reach your customers.',
        'There is nothing to do.',
      ],
    },
  },
  proveedor_rechazado: {
    es: {
      subject: 'El proveedor de DNS {proveedor} rechaza la credencial',
      paragraphs: [
        'El proveedor de DNS {proveedor} ha rechazado la credencial. El espejo está parado hasta que se introduzca otra en {panel}. El DNS propio no se ve afectado.',
      ],
    },
    en: {
      subject: 'The DNS provider {proveedor} refuses the credential',
      paragraphs: [
        "The DNS provider {proveedor} refused the credential. Mirroring has stopped until another is entered at {panel}. The panel's own DNS is not affected.",
      ],
    },
  },
  proveedor_casi_lleno: {
    es: {
      subject: 'La cuenta de {proveedor} está al {porcentaje} %',
      paragraphs: ['Zonas en la cuenta del proveedor de DNS: {usadas} de {limite}.'],
    },
    en: {
      subject: 'The account at {proveedor} is at {porcentaje}%',
      paragraphs: ['Zones in the account at the DNS provider: {usadas} of {limite}.'],
    },
  },
  espejo_retirado: {
    es: {
      subject: 'La zona {zona} se ha retirado del espejo',
      paragraphs: [
        'La zona {zona} ya no apunta a este servidor, así que se ha retirado de {proveedor}. Visto: {visto}.',
      ],
    },
    en: {
      subject: 'The zone {zona} was dropped from the mirror',
      paragraphs: [
        'The zone {zona} no longer points to this server, so it was removed at {proveedor}. Seen: {visto}.',
      ],
    },
  },
} satisfies Record<string, { es: Text; en: Text }>

export type MailKind = keyof typeof TEXTS

export const MAILS: Record<MailKind, { es: Text; en: Text }> = TEXTS
