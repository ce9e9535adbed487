import type { Words } from './words.ts'

/**
 * Faults of background work, as people read them: what happened, and what to do. `{name}` is a value of the fault;
 * `{autoridad}` and `{datos}` bring their own space and may be missing.
 */
export const FAULTS = {
  anterior: {
    en: "This did not work; the panel's log says why.",
    es: 'No ha funcionado; el registro del panel dice por qué.',
  },
  desconocido: {
    en: "This did not work; the panel's log says why{id}.",
    es: 'No ha funcionado; el registro del panel dice por qué{id}.',
  },
  sin_espacio: {
    en: "There is no space left on the server's disk; free some, and this will be retried automatically.",
    es: 'No queda espacio en el disco del servidor; libere algo y se reintentará solo.',
  },
  sin_permiso: {
    en: "The server does not let the panel do this; the panel's log says what was refused{id}.",
    es: 'El servidor no permite hacerlo al panel; el registro del panel dice qué se denegó{id}.',
  },
  programa_ausente: {
    en: "A program or file that this needs is missing on the server; the panel's log says which{id}.",
    es: 'Falta en el servidor un programa o archivo necesario; el registro del panel dice cuál{id}.',
  },
  base_de_datos: {
    en: "The panel's database did not accept this; the panel's log says why{id}.",
    es: 'La base de datos del panel no lo aceptó; el registro del panel dice por qué{id}.',
  },
  sin_conexion: {
    en: "A service that this needs could not be reached; the panel's log says which{id}.",
    es: 'No se pudo conectar con un servicio necesario; el registro del panel dice cuál{id}.',
  },
  sin_nombre: {
    en: "The address of a server that this needs could not be found; check this server's DNS. The panel's log says which{id}.",
    es: 'No se encontró la dirección de un servidor necesario; revise el DNS de este servidor. El registro del panel dice cuál{id}.',
  },
  sin_respuesta: {
    en: "A service that this needs did not answer in time; the panel's log says which{id}.",
    es: 'Un servicio necesario no respondió a tiempo; el registro del panel dice cuál{id}.',
  },
  tls: {
    en: "A required secure connection is not trusted; the panel's log says which{id}.",
    es: 'Una conexión segura necesaria no es de confianza; el registro del panel dice cuál{id}.',
  },
  copia_parcial: {
    en: 'Some of its files could not be read by their owner, or lie more than 256 folders deep{datos}; the copy has all others.',
    es: 'Su dueño no puede leer algunos de sus archivos, o están a más de 256 carpetas de profundidad{datos}; la copia tiene todos los demás.',
  },
  sitio_recuperandose: {
    en: 'Its files are being brought back from the copies; until then, visitors are asked to come back later.',
    es: 'Sus archivos se están recuperando de las copias; mientras tanto, se pide a las visitas que vuelvan más tarde.',
  },
  sitio_no_recuperado: {
    en: 'Its files were lost with their server and could not be brought back from the copies; visitors are asked to come back later. Restore another copy, or upload the files: the site is served again within a day.',
    es: 'Sus archivos se perdieron con su servidor y no se pudieron recuperar de las copias; se pide a las visitas que vuelvan más tarde. Restaure otra copia o suba los archivos: el sitio se volverá a servir en menos de un día.',
  },
  bases_recuperandose: {
    en: 'Its databases are being brought back from the copies; until then, visitors are asked to come back later.',
    es: 'Sus bases de datos se están recuperando de las copias; mientras tanto, se pide a las visitas que vuelvan más tarde.',
  },
  bases_no_recuperadas: {
    en: 'A database was lost with its server and could not be brought back from the copies; visitors are asked to come back later. Restore another copy of it, load a dump, or delete it: the site is then served again.',
    es: 'Una base de datos se perdió con su servidor y no se pudo recuperar de las copias; se pide a las visitas que vuelvan más tarde. Restaure otra copia, importe un volcado o elimínela: el sitio se volverá a servir.',
  },
  copia_danada: {
    en: 'What was read back differs from what was copied: the destination has lost or changed something.',
    es: 'Lo que se leyó no es lo que se copió: el destino ha perdido o cambiado algo.',
  },
  copia_perdida: {
    en: 'The destination of copies has none of this client any more, while it has those of the node: put its folder back there. A new copy begins anew.',
    es: 'El destino de las copias ya no tiene ninguna de este cliente, aunque sí las del nodo: devuelva allí su carpeta. Una copia nueva empieza de cero.',
  },
  copias_contrasena: {
    en: 'The destination of copies is not opened by this key: it may have been replaced by another one.',
    es: 'El destino de las copias no se abre con esta clave: puede que lo hayan cambiado por otro.',
  },
  copias_credencial: {
    en: 'The destination of copies refuses the credential: it may have been withdrawn.',
    es: 'El destino de las copias rechaza la credencial: puede que la hayan retirado.',
  },
  copias_servidor: {
    en: 'The server of the destination of copies shows another key than before. If that is right, enter the destination again.',
    es: 'El servidor del destino de las copias muestra otra llave que antes. Si es correcto, vuelva a indicar el destino.',
  },
  copias_ajenas: {
    en: 'Another panel keeps its copies at the destination of copies: enter a path of its own for each panel.',
    es: 'Otro panel guarda sus copias en el destino de las copias: indique una ruta propia para cada panel.',
  },
  copias_ausente: {
    en: 'The destination of copies holds nothing of this node: its disk may not be mounted. If all is lost there, enter the destination again.',
    es: 'El destino de las copias no tiene nada de este nodo: puede que su disco no esté montado. Si allí se ha perdido todo, vuelva a indicar el destino.',
  },
  copias_lleno: {
    en: 'There is no space left at the destination of copies: make room there, or enter another one.',
    es: 'No queda espacio en el destino de las copias: haga sitio allí o indique otro.',
  },
  copias_inaccesible: {
    en: "The destination of copies could not be used; the panel's log says why{id}.",
    es: 'No se pudo usar el destino de las copias; el registro del panel dice por qué{id}.',
  },
  mudanza_sola: {
    en: 'The other node did nothing for a minute while the account was closed; it is served again where it was.',
    es: 'El otro nodo no hizo nada durante un minuto con la cuenta cerrada; se sirve otra vez donde estaba.',
  },
  trabajo_mortal: {
    en: "The panel crashed each time it did this, so it is not retried automatically. The panel's log says what happened before{id}; once that is fixed, retry it.",
    es: 'El panel se cayó cada vez que lo hacía, así que no se reintenta solo. El registro del panel dice qué pasó antes{id}; cuando esté arreglado, reinténtelo.',
  },
  autoridad_dice: { en: 'The authority says: “{detalle}”.', es: 'La autoridad dice: «{detalle}».' },

  no_resuelve_aqui: {
    en: 'No name of the site leads to this server yet: {nombres}. The certificate is requested automatically once one does.',
    es: 'Ningún nombre del sitio apunta aún a este servidor: {nombres}. El certificado se pide solo en cuanto alguno lo haga.',
  },
  certificado_caducado: {
    en: 'The certificate has expired; a new one is being requested.',
    es: 'El certificado ha caducado; se está pidiendo uno nuevo.',
  },
  certificado_no_instalado: {
    en: "The certificate could not be put in place; the panel's log says why{id}.",
    es: 'No se pudo poner el certificado; el registro del panel dice por qué{id}.',
  },
  acme_inalcanzable: {
    en: 'The certificate authority{autoridad} could not be reached.',
    es: 'No se pudo conectar con la autoridad de certificación{autoridad}.',
  },
  acme_sin_nombre: {
    en: 'The address of the certificate authority{autoridad} could not be found.',
    es: 'No se encontró la dirección de la autoridad de certificación{autoridad}.',
  },
  acme_sin_respuesta: {
    en: 'The certificate authority{autoridad} did not answer in time.',
    es: 'La autoridad de certificación{autoridad} no respondió a tiempo.',
  },
  acme_tls: {
    en: 'The connection to the certificate authority{autoridad} is not trusted: this server does not recognise its certificate, or the clock is wrong.',
    es: 'La conexión con la autoridad de certificación{autoridad} no es de confianza: este servidor no reconoce su certificado, o el reloj está mal.',
  },
  acme_respuesta: {
    en: 'The certificate authority{autoridad} gave an answer that the panel does not understand{datos}.',
    es: 'La autoridad de certificación{autoridad} dio una respuesta que el panel no entiende{datos}.',
  },
  acme_averia: {
    en: 'The certificate authority{autoridad} had an internal fault{datos}.',
    es: 'La autoridad de certificación{autoridad} tiene una avería{datos}.',
  },
  acme_limite: {
    en: 'Too many certificates were requested from the certificate authority, which asks to wait.',
    es: 'Se han pedido demasiados certificados a la autoridad de certificación, que pide una espera.',
  },
  acme_dns: {
    en: 'The certificate authority could not look up {nombres} in the DNS. Check its records.',
    es: 'La autoridad de certificación no pudo consultar {nombres} en el DNS. Revise sus registros.',
  },
  acme_conexion: {
    en: 'The certificate authority could not connect to {nombres}. Its DNS must lead to this server, and port 80 be open.',
    es: 'La autoridad de certificación no pudo conectar con {nombres}. Su DNS debe llevar a este servidor, con el puerto 80 abierto.',
  },
  acme_no_autorizado: {
    en: 'The certificate authority did not find this server behind {nombres}. Its DNS must lead only here.',
    es: 'La autoridad de certificación no encontró este servidor tras {nombres}. Su DNS debe llevar solo aquí.',
  },
  acme_caa: {
    en: 'A CAA record forbids this certificate authority to issue for {nombres}. Change or remove it in the DNS.',
    es: 'Un registro CAA prohíbe a esta autoridad de certificación emitir para {nombres}. Cámbielo o quítelo del DNS.',
  },
  acme_nombre: {
    en: 'The certificate authority does not issue for {nombres}.',
    es: 'La autoridad de certificación no emite para {nombres}.',
  },
  acme_cuenta: {
    en: "The certificate authority does not accept the panel's account. The operator has to look into it.",
    es: 'La autoridad de certificación no acepta la cuenta del panel. El operador debe revisarla.',
  },
  acme_rechazado: {
    en: 'The certificate authority refused the certificate.',
    es: 'La autoridad de certificación rechazó el certificado.',
  },
  acme_sin_reto: {
    en: 'The certificate authority offers no way to validate these names over HTTP.',
    es: 'La autoridad de certificación no ofrece cómo validar estos nombres por HTTP.',
  },
  acme_ajeno: {
    en: 'The certificate authority sent a certificate for another key or other names.',
    es: 'La autoridad de certificación envió un certificado de otra clave o de otros nombres.',
  },

  proveedor_credencial: {
    en: 'The DNS provider refuses the credential{datos}. An admin has to enter another one.',
    es: 'El proveedor de DNS rechaza la credencial{datos}. Un administrador debe introducir otra.',
  },
  proveedor_zona_prohibida: {
    en: 'The credential works at the DNS provider, but not for this zone{datos}. Give it the right to it there.',
    es: 'La credencial vale en el proveedor de DNS, pero no para esta zona{datos}. Dele allí permiso para ella.',
  },
  proveedor_pide_espera: {
    en: 'The DNS provider asks to wait{datos}; this will continue automatically.',
    es: 'El proveedor de DNS pide esperar{datos}; se continuará automáticamente.',
  },
  proveedor_sin_respuesta: {
    en: 'The DNS provider did not answer in time{datos}; this will be retried automatically.',
    es: 'El proveedor de DNS no respondió a tiempo{datos}; se reintentará solo.',
  },
  proveedor_inalcanzable: {
    en: 'The DNS provider could not be reached{datos}; this will be retried automatically.',
    es: 'No se pudo conectar con el proveedor de DNS{datos}; se reintentará solo.',
  },
  proveedor_averia: {
    en: 'The DNS provider had an internal fault{datos}; this will be retried automatically.',
    es: 'El proveedor de DNS tiene una avería{datos}; se reintentará solo.',
  },
  proveedor_ya_existe: {
    en: 'The name already exists at the DNS provider{datos}.',
    es: 'El nombre ya existe en el proveedor de DNS{datos}.',
  },
  proveedor_sin_zona: {
    en: 'The DNS provider has no such zone{datos}.',
    es: 'El proveedor de DNS no tiene esa zona{datos}.',
  },
  proveedor_lleno: {
    en: 'The account at the DNS provider has no room for another zone{datos}.',
    es: 'La cuenta del proveedor de DNS no admite más zonas{datos}.',
  },
  proveedor_registro: {
    en: 'The DNS provider does not accept a record{datos}. Check it in the zone.',
    es: 'El proveedor de DNS no acepta un registro{datos}. Revíselo en la zona.',
  },
  proveedor_ocupado: {
    en: 'The zone is being changed at the DNS provider{datos}; this will be retried automatically.',
    es: 'La zona se está cambiando en el proveedor de DNS{datos}; se reintentará solo.',
  },
  proveedor_respuesta: {
    en: 'The DNS provider gave an answer that the panel does not understand{datos}.',
    es: 'El proveedor de DNS dio una respuesta que el panel no entiende{datos}.',
  },
  proveedor_plazo: {
    en: 'There was not enough time for all of it; the next run will continue.',
    es: 'No hubo tiempo para todo; la próxima pasada continuará.',
  },
  proveedor_direccion: {
    en: "The address of the DNS provider's API is private and not allowed.",
    es: 'La dirección de la API del proveedor de DNS es privada y no se admite.',
  },

  servicio_no_arranca: {
    en: "It could not be started and will be retried automatically; the panel's log says why{id}.",
    es: 'No se pudo arrancar, y se reintenta solo; el registro del panel dice por qué{id}.',
  },
  correo_no_enviado: {
    en: 'The mail server did not accept the mail{datos}; the log says why{id}.',
    es: 'El servidor de correo no aceptó el correo{datos}; el registro dice por qué{id}.',
  },

  orden_fallo: { en: 'This did not work{datos}.', es: 'No ha funcionado{datos}.' },
  orden_sin_espacio: {
    en: 'There is no space left{datos}: free some, and try again.',
    es: 'No queda espacio{datos}: libere algo y repita.',
  },
  orden_sin_permiso: {
    en: 'This user may not do that{datos}: run it as root or as the user of the panel.',
    es: 'Este usuario no puede hacerlo{datos}: ejecútelo como root o como el usuario del panel.',
  },
  orden_ausente: {
    en: 'Something that this needs is missing{datos}.',
    es: 'Falta algo necesario{datos}.',
  },
  orden_base_de_datos: {
    en: 'A database cannot be opened or used{datos}: its file or folder is missing, damaged, locked, or no database.',
    es: 'No se puede abrir o usar una base de datos{datos}: su archivo o carpeta falta, está dañado o bloqueado, o no es una base de datos.',
  },
  orden_sin_conexion: {
    en: 'A service that this needs does not answer{datos}.',
    es: 'Un servicio necesario no responde{datos}.',
  },
} satisfies Record<string, Words>
