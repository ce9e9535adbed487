import { inLanguage } from '../../text/language.ts'

/** Each task, and behind the bar further words by which it is looked for. */
const en = {
  mail: 'Set up mail for a domain | email e-mail mx spf dkim dmarc google workspace microsoft outlook',
  password: 'Change your password | credentials sign in login',
  phone: 'Use another phone for the codes | authenticator second factor 2fa two-factor mobile',
  certificate: 'HTTPS certificate of a site | ssl tls secure padlock lets encrypt',
  wordpress: 'Install WordPress | application blog shop',
  upload: 'Upload files | put publish site folder ftp',
  openDatabase: 'Open a database | phpmyadmin adminer mysql mariadb sql',
  php: 'PHP version of a site | settings limits',
  redirect: 'Redirect an address | forward url 301',
  protect: 'Protect a folder with a password | private htpasswd restrict',
  scheduled: 'Scheduled tasks of a site | cron cronjob',
  restore: 'Restore from a copy | backup recover',
  deleteSite: 'Delete a site | remove erase',
}

const es: typeof en = {
  mail: 'Configurar el correo de un dominio | email mx spf dkim dmarc google workspace microsoft outlook',
  password: 'Cambiar su contraseña | clave acceso entrar',
  phone: 'Usar otro móvil para los códigos | autenticador segundo factor 2fa dos pasos teléfono',
  certificate: 'Certificado HTTPS de un sitio | ssl tls seguro candado lets encrypt',
  wordpress: 'Instalar WordPress | aplicación blog tienda',
  upload: 'Subir archivos | publicar web carpeta ftp',
  openDatabase: 'Abrir una base de datos | phpmyadmin adminer mysql mariadb sql',
  php: 'Versión de PHP de un sitio | ajustes límites',
  redirect: 'Redirigir una dirección | redirección url 301',
  protect: 'Proteger una carpeta con contraseña | privada htpasswd restringir',
  scheduled: 'Tareas programadas de un sitio | cron cronjob',
  restore: 'Recuperar de una copia | backup copia de seguridad restaurar',
  deleteSite: 'Eliminar un sitio | borrar quitar',
}

export const taskTexts = inLanguage({ en, es })
