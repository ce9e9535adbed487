import { MOVE_MESSAGES } from './moves/errors.ts'

/** The public text of every error code, English and Spanish (docs/api.md, "Errors"). */
export const MESSAGES = {
  json_invalido: {
    en: 'The body is not a single JSON value, or repeats a key.',
    es: 'El cuerpo no es un único valor JSON, o repite una clave.',
  },
  cursor_invalido: {
    en: '`desde` does not point into this listing; take it from `siguiente` of the page before.',
    es: '`desde` no señala ningún punto de este listado; tómelo de `siguiente` de la página anterior.',
  },
  clave_no_admitida: {
    en: 'An Idempotency-Key has 1 to 64 visible characters; operations whose answer holds a secret or whose body is a file do not accept one.',
    es: 'Una Idempotency-Key tiene de 1 a 64 caracteres visibles, y no se admite donde la respuesta contiene un secreto o el cuerpo es un archivo.',
  },
  credencial_invalida: { en: 'The credential is not valid.', es: 'La credencial no es válida.' },
  credenciales_incorrectas: {
    en: 'The address or the password is wrong.',
    es: 'El correo o la contraseña no son correctos.',
  },
  token_caducado: { en: 'The token has expired.', es: 'El token ha caducado.' },
  token_revocado: { en: 'The token has been revoked.', es: 'El token ha sido revocado.' },
  sesion_caducada: { en: 'The session has expired.', es: 'La sesión ha caducado.' },
  sesion_terminada: { en: 'The session was ended.', es: 'La sesión fue terminada.' },
  paso_invalido: {
    en: 'This step is no longer valid: start again.',
    es: 'Este paso ya no es válido, empiece de nuevo.',
  },
  llave_incorrecta: { en: 'This passkey is not known here.', es: 'Esta llave de acceso no se conoce aquí.' },
  codigo_incorrecto: { en: 'The code is wrong.', es: 'El código no es correcto.' },
  funcion_de_pago: {
    en: "The client's plan does not include {funcion}.",
    es: 'El plan del cliente no incluye {funcion}.',
  },
  no_con_token: {
    en: 'This operation cannot be done with an API token, sign in to the panel.',
    es: 'Esta operación no se puede hacer con un token de API, entre en el panel.',
  },
  prohibido: { en: 'Not allowed.', es: 'No permitido.' },
  origen_ajeno: {
    en: 'The request comes from another site.',
    es: 'La petición procede de otro sitio.',
  },
  solo_cuentas_de_token: {
    en: 'A token can create a login only for an account that a token created.',
    es: 'Un token solo puede crear el acceso de una cuenta creada por un token.',
  },
  rol_no_permitido: {
    en: 'Only logins with role client can be created here.',
    es: 'Aquí solo se pueden crear accesos con rol client.',
  },
  contrasena_incorrecta: { en: 'The password is wrong.', es: 'La contraseña no es correcta.' },
  no_encontrado: { en: 'There is nothing here.', es: 'Aquí no hay nada.' },
  cliente_no_existe: { en: 'There is no such client.', es: 'No existe ese cliente.' },
  sitio_no_existe: { en: 'There is no such site.', es: 'No existe ese sitio.' },
  cuenta_no_existe: { en: 'There is no such account.', es: 'No existe esa cuenta.' },
  plan_no_existe: { en: 'There is no plan {plan}.', es: 'No existe el plan {plan}.' },
  zona_no_existe: { en: 'There is no such zone.', es: 'No existe esa zona.' },
  base_no_existe: { en: 'There is no such database.', es: 'No existe esa base de datos.' },
  registro_no_existe: { en: 'There is no such record set.', es: 'No existe ese registro.' },
  token_no_existe: { en: 'There is no such token.', es: 'No existe ese token.' },
  llave_no_existe: { en: 'There is no such passkey.', es: 'No existe esa llave de acceso.' },
  demasiadas_llaves: { en: 'At most {maximo} passkeys.', es: 'Como máximo, {maximo} llaves de acceso.' },
  llaves_no_disponibles: {
    en: 'Passkeys need a host name.',
    es: 'Las llaves de acceso exigen un nombre de host.',
  },
  aviso_no_existe: { en: 'There is no such webhook.', es: 'No existe ese webhook.' },
  entrega_no_existe: { en: 'There is no such delivery.', es: 'No existe esa entrega.' },
  demasiados_avisos: { en: 'At most {maximo} webhooks.', es: 'Como máximo, {maximo} webhooks.' },
  aviso_apagado: { en: 'The webhook is switched off.', es: 'El webhook está apagado.' },
  persona_no_existe: { en: 'There is no such person.', es: 'No existe esa persona.' },
  programada_no_existe: { en: 'There is no such scheduled task.', es: 'No existe esa tarea programada.' },
  aplicacion_no_existe: {
    en: 'The site has no application that the panel installed.',
    es: 'El sitio no tiene ninguna aplicación instalada por el panel.',
  },
  protegida_no_existe: {
    en: 'The site has no such protected path.',
    es: 'El sitio no tiene esa ruta protegida.',
  },
  tarea_no_existe: { en: 'There is no such job.', es: 'No existe esa tarea.' },
  nodo_no_existe: { en: 'There is no such node.', es: 'No existe ese nodo.' },
  sesion_no_existe: { en: 'There is no such session.', es: 'No existe esa sesión.' },
  acceso_no_existe: { en: 'The client has no login.', es: 'El cliente no tiene acceso.' },
  proveedor_no_existe: {
    en: 'No DNS provider is configured on this node.',
    es: 'No hay proveedor de DNS configurado en este nodo.',
  },
  espejo_no_existe: { en: 'The zone is not mirrored.', es: 'La zona no está en espejo.' },
  enlace_no_existe: { en: 'The link is not valid.', es: 'El enlace no es válido.' },
  archivo_no_existe: { en: 'There is no such file or folder.', es: 'No existe ese archivo o carpeta.' },
  metodo_no_admitido: {
    en: 'This resource does not take that method.',
    es: 'Este recurso no admite ese método.',
  },
  ya_existe: { en: 'It already exists.', es: 'Ya existe.' },
  referencia_en_conflicto: {
    en: 'The reference belongs to another client.',
    es: 'La referencia pertenece a otro cliente.',
  },
  dominio_ocupado: { en: 'The name is taken.', es: 'El nombre está ocupado.' },
  dominio_sin_probar: {
    en: 'It is not proven that {domain} is yours. Set the TXT record given in `prueba`, or point the name to this server, and try again.',
    es: 'No está probado que {domain} sea suyo. Ponga el registro TXT que indica `prueba`, o apunte el nombre a este servidor, e inténtelo de nuevo.',
  },
  cliente_en_otro_nodo: {
    en: 'The account lives on node {nodo}.',
    es: 'La cuenta está en el nodo {nodo}.',
  },
  nodo_ausente: {
    en: 'Node {nodo} is absent: nothing new can be put there until it is back.',
    es: 'El nodo {nodo} está ausente: no se puede poner nada nuevo en él hasta que vuelva.',
  },
  nodo_presente: {
    en: 'Node {nodo} is present: only an absent node can be given up.',
    es: 'El nodo {nodo} está presente: solo se puede abandonar un nodo ausente.',
  },
  acceso_ya_existe: { en: 'The client already has a login.', es: 'El cliente ya tiene acceso.' },
  sin_acceso: { en: 'The client has no login.', es: 'El cliente no tiene acceso.' },
  sin_correo: { en: 'The client has no e-mail address.', es: 'El cliente no tiene dirección de correo.' },
  correo_distinto: {
    en: 'The client has a different recovery address; only a person can change it.',
    es: 'El cliente tiene otro correo de recuperación; solo una persona puede cambiarlo.',
  },
  plan_en_uso: { en: 'Clients still have this plan.', es: 'Aún hay clientes con ese plan.' },
  limite_del_plan: {
    en: "The plan's limit for {recurso} is {limite}.",
    es: 'El límite del plan para {recurso} es {limite}.',
  },
  cliente_suspendido: { en: 'The account is suspended.', es: 'La cuenta está suspendida.' },
  cliente_eliminandose: { en: 'The client is being deleted.', es: 'El cliente se está eliminando.' },
  ultimo_administrador: {
    en: 'The last active admin cannot be disabled.',
    es: 'No se puede desactivar al último administrador activo.',
  },
  tarea_no_fallida: {
    en: 'Only a failed or waiting job can be retried.',
    es: 'Solo se puede reintentar una tarea que ha fallado o que espera.',
  },
  tarea_no_cancelable: {
    en: 'This job cannot be cancelled, or has already ended.',
    es: 'Esta tarea no se puede cancelar, o ya ha terminado.',
  },
  ya_en_curso: { en: 'It is running already.', es: 'Ya está en curso.' },
  zona_no_resuelve_aqui: {
    en: 'The zone does not resolve to this server.',
    es: 'La zona no resuelve a este servidor.',
  },
  zona_ya_en_proveedor: {
    en: 'A zone of that name already exists in the provider account.',
    es: 'Ya existe una zona con ese nombre en la cuenta del proveedor.',
  },
  sin_proveedor: {
    en: 'No DNS provider is configured on this node.',
    es: 'No hay proveedor de DNS configurado en este nodo.',
  },
  proveedor_en_uso: {
    en: 'Zones are still mirrored through this account.',
    es: 'Aún hay zonas en espejo con esta cuenta.',
  },
  cuota_de_zonas: {
    en: 'The provider account has no room for another zone.',
    es: 'La cuenta del proveedor no admite más zonas.',
  },
  espejo_no_activo: {
    en: 'The mirror of this zone is not active.',
    es: 'El espejo de esta zona no está activo.',
  },
  https_no_disponible: {
    en: 'A certificate cannot be requested for this site now.',
    es: 'Ahora no se puede pedir un certificado para este sitio.',
  },
  php_no_disponible: {
    en: 'That PHP version is not available on this node.',
    es: 'Esa versión de PHP no está disponible en este nodo.',
  },
  base_en_uso: {
    en: 'The tables of the database are held, by an open transaction or by another database that refers to them.',
    es: 'Las tablas de la base de datos están retenidas por una transacción abierta o por otra base que las referencia.',
  },
  demasiadas_cuentas: {
    en: 'A database has at most {limite} accounts with a password.',
    es: 'Cada base de datos tiene como mucho {limite} cuentas con contraseña.',
  },
  bases_no_disponible: {
    en: "The client's node has no databases: its operator has to install MariaDB.",
    es: 'El nodo del cliente no tiene bases de datos: su operador debe instalar MariaDB.',
  },
  copias_no_disponibles: {
    en: "The client's node makes no copies: its operator has to install restic.",
    es: 'El nodo del cliente no hace copias: su operador debe instalar restic.',
  },
  entrada_no_existe: { en: 'The bin has no such entry.', es: 'La papelera no tiene esa entrada.' },
  copia_no_existe: { en: 'There is no such copy.', es: 'No existe esa copia.' },
  copia_danada: { en: 'This copy is damaged: take another one.', es: 'Esta copia está dañada: use otra.' },
  copia_incompleta: {
    en: 'What would be replaced could not be copied as a whole first, so nothing was changed. The newest copy says what is missing.',
    es: 'No se pudo copiar antes entero lo que se iba a sustituir, así que no se ha cambiado nada. La copia más reciente dice qué falta.',
  },
  ...MOVE_MESSAGES,
  destino_no_comun: {
    en: 'Both nodes have to keep their copies at the same destination, and reach it.',
    es: 'Los dos nodos deben guardar sus copias en el mismo destino, y alcanzarlo.',
  },
  destino_no_existe: {
    en: 'No destination of copies is configured on this node.',
    es: 'No hay destino de copias configurado en este nodo.',
  },
  destino_contrasena: {
    en: 'The destination holds copies of a panel already, under another password.',
    es: 'El destino ya tiene copias de un panel, con otra contraseña.',
  },
  destino_ajeno: {
    en: 'Another panel keeps its copies there: enter a path of its own for each panel.',
    es: 'Otro panel guarda allí sus copias: indique una ruta propia para cada panel.',
  },
  destino_fallo: {
    en: 'The destination of copies could not be used: check its address, its credential and its free space.',
    es: 'No se pudo usar el destino de las copias: revise su dirección, su credencial y su espacio libre.',
  },
  adminer_no_disponible: {
    en: "The client's node has no Adminer of the version that the panel runs: its operator has to install Debian's package.",
    es: 'El nodo del cliente no tiene Adminer en la versión que usa el panel: su operador debe instalar el paquete de Debian.',
  },
  aplicacion_no_disponible: {
    en: 'The client’s node has no valid package of this application: its operator has to provide one.',
    es: 'El nodo del cliente no tiene ningún paquete válido de esta aplicación: su operador debe aportarlo.',
  },
  no_es_clon: {
    en: 'The application is no clone, or what it was copied from is gone.',
    es: 'La aplicación no es un clon, o ya no existe la aplicación de la que se copió.',
  },
  tabla_no_admitida: {
    en: 'One of the tables is not in both databases, or foreign keys tie it to others.',
    es: 'Una de las tablas no está en las dos bases, o tiene claves externas con otras.',
  },
  nada_que_deshacer: {
    en: 'There is no publication that could be taken back.',
    es: 'No hay ninguna publicación que se pueda deshacer.',
  },
  aplicacion_al_dia: {
    en: 'The client’s node has no newer version of this application.',
    es: 'El nodo del cliente no tiene ninguna versión más nueva de esta aplicación.',
  },
  aplicacion_no_lo_admite: {
    en: 'This application does not have what was asked for; `admite` of the application tells what it has.',
    es: 'Esta aplicación no tiene lo que se pidió; `admite` de la aplicación dice lo que tiene.',
  },
  aplicacion_no_responde: {
    en: 'The application does not answer as it should. It is as it was before.',
    es: 'La aplicación no responde como debe. Está como estaba antes.',
  },
  sitio_no_vacio: { en: 'The site already has files.', es: 'El sitio ya tiene archivos.' },
  base_no_vacia: { en: 'The database already has tables.', es: 'La base ya tiene tablas.' },
  respuesta_olvidada: {
    en: 'This request was carried out before; its long answer is no longer kept. Read the resource instead.',
    es: 'Esta petición ya se llevó a cabo; su respuesta, larga, ya no se guarda. Lea el recurso.',
  },
  clave_de_idempotencia_en_uso: {
    en: 'The Idempotency-Key was used for another request.',
    es: 'La Idempotency-Key se usó en otra petición.',
  },
  enlace_gastado: {
    en: 'The link has been used or replaced.',
    es: 'El enlace ya se usó o fue sustituido.',
  },
  enlace_caducado: { en: 'The link has expired.', es: 'El enlace ha caducado.' },
  version_distinta: {
    en: 'The resource has changed since it was read.',
    es: 'El recurso ha cambiado desde que se leyó.',
  },
  cuerpo_demasiado_grande: { en: 'The body is too large.', es: 'El cuerpo es demasiado grande.' },
  tipo_no_admitido: {
    en: 'The content type is not accepted here.',
    es: 'Aquí no se admite ese tipo de contenido.',
  },
  subida_no_existe: {
    en: 'There is no such upload: it was completed, cancelled, or is older than a day.',
    es: 'No existe esa subida: se completó, se canceló o tiene más de un día.',
  },
  desplazamiento_distinto: {
    en: 'The upload is at another offset; ask for its present one.',
    es: 'La subida está en otro punto; consulte el actual.',
  },
  rango_invalido: {
    en: 'The file ends before the requested range.',
    es: 'El archivo termina antes del rango pedido.',
  },
  ruta_invalida: {
    en: 'The path is not valid here: it is not absolute, leaves the site, or leads to another kind of file.',
    es: 'La ruta no es válida aquí: no es absoluta, sale del sitio o lleva a otro tipo de archivo.',
  },
  archivo_peligroso: {
    en: 'The archive is refused: its content is too large, it has too many entries, or paths that lead outside.',
    es: 'El archivo comprimido se rechaza: su contenido es demasiado grande, tiene demasiadas entradas o rutas que salen de él.',
  },
  importacion_no_reconocida: {
    en: 'The file is no archive of that panel, or it is cut off.',
    es: 'El archivo no es una copia de ese panel, o está cortado.',
  },
  volcado_rechazado: {
    en: 'The database server refuses the dump at line {linea}, with error {numero}. The database is as it was.',
    es: 'El servidor de bases de datos rechaza el volcado en la línea {linea}, con el error {numero}. La base de datos sigue como estaba.',
  },
  volcado_ajeno: {
    en: 'The dump names another database, or does what a client may not do. Make it of one database alone, without its name.',
    es: 'El volcado nombra otra base de datos o hace algo que un cliente no puede hacer. Hágalo de una sola base, sin su nombre.',
  },
  volcado_incompleto: {
    en: 'The dump is empty, cut off or damaged, or lacks what one of its views needs. The database is as it was.',
    es: 'El volcado está vacío, cortado o dañado, o falta lo que necesita alguna de sus vistas. La base de datos sigue como estaba.',
  },
  datos_invalidos: { en: 'Some fields are not valid.', es: 'Algunos campos no son válidos.' },
  llave_invalida: {
    en: 'This public key is not accepted: it must be Ed25519, ECDSA or RSA, as ssh-keygen writes it, without options.',
    es: 'Esta llave pública no se admite: debe ser Ed25519, ECDSA o RSA, como la escribe ssh-keygen, sin opciones.',
  },
  llave_debil: {
    en: 'This key is too weak: RSA needs at least 3072 bits. Better use an Ed25519 key.',
    es: 'Esta llave es demasiado débil: RSA necesita al menos 3072 bits. Mejor use una llave Ed25519.',
  },
  espera: {
    en: 'Too many requests: wait before you try again.',
    es: 'Demasiadas peticiones: espere antes de volver a intentarlo.',
  },
  error_interno: {
    en: 'The panel failed; the fault was logged.',
    es: 'El panel falló; el fallo quedó registrado.',
  },
  proveedor_fallo: {
    en: 'The DNS provider did not carry this out.',
    es: 'El proveedor de DNS no llevó a cabo la operación.',
  },
  no_disponible: {
    en: 'Not available now: try again later.',
    es: 'No disponible ahora: inténtelo más tarde.',
  },
  clave_ausente: {
    en: 'The panel lacks the key that this is sealed with. Tell its operator: the key ring has to be put back.',
    es: 'Al panel le falta la clave con que esto está sellado. Avise a quien lo administra: hay que reponer su llavero.',
  },
  sin_espacio: { en: 'There is no space left ({recurso}).', es: 'No queda espacio ({recurso}).' },
} satisfies Record<string, { en: string; es: string }>
