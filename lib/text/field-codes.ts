/** The text of a refusal that has no text of its own. */
export const OTHERWISE = {
  en: 'The value is not one of those allowed.',
  es: 'El valor no está entre los admitidos.',
}

/** The text of every field code of a 422 (docs/api.md, "Errors"). */
export const FIELD_MESSAGES: Record<string, { en: string; es: string }> = {
  obligatorio: { en: 'This field is required.', es: 'Este campo es obligatorio.' },
  campo_desconocido: { en: 'There is no such field here.', es: 'Aquí no existe ese campo.' },
  tipo_incorrecto: { en: 'The value has the wrong type.', es: 'El valor no es del tipo esperado.' },
  valor_no_admitido: OTHERWISE,
  demasiado_corto: { en: 'The value is too short.', es: 'El valor es demasiado corto.' },
  demasiado_largo: { en: 'The value is too long.', es: 'El valor es demasiado largo.' },
  demasiados: { en: 'There are too many values.', es: 'Hay demasiados valores.' },
  cuando_invalido: {
    en: 'A cron pattern of five fields that matches some date, such as */5 * * * *.',
    es: 'Un patrón de cron de cinco campos que coincida con alguna fecha, como */5 * * * *.',
  },
  raiz_web_invalida: {
    en: 'A folder below the site’s, such as public/web: letters, digits, `.`, `_` and `-`, at most 200 characters, no part beginning with a dot.',
    es: 'Una carpeta dentro de la del sitio, como public/web: letras, cifras, `.`, `_` y `-`, como mucho 200 caracteres, sin partes que empiecen por punto.',
  },
  ruta_de_sitio_invalida: {
    en: 'An address of the site that begins with /, without a query; one that ends in /* has at most 4 levels before that.',
    es: 'Una dirección del sitio desde /, sin consulta; la que acaba en /* tiene como mucho 4 niveles antes.',
  },
  destino_de_redireccion_invalido: {
    en: 'An address of the site that begins with /, or a full http or https address; at most 1,000 characters, without empty parts, and more than just /*.',
    es: 'Una dirección del sitio que empiece por /, o una dirección http o https completa; como mucho 1.000 caracteres, sin partes vacías y con algo más que /*.',
  },
  codigo_de_redireccion_invalido: { en: '301, 302, 307 or 308.', es: '301, 302, 307 o 308.' },
  redireccion_en_circulo: {
    en: 'It leads to an address that it is itself for.',
    es: 'Lleva a una dirección a la que ella misma se aplica.',
  },
  ruta_repetida: { en: 'The same address stands there twice.', es: 'La misma dirección está dos veces.' },
  demasiadas_redirecciones: { en: 'At most 200.', es: 'Como mucho 200.' },
  demasiadas_protegidas: { en: 'At most 50.', es: 'Como mucho 50.' },
  ruta_protegida_invalida: {
    en: 'An address of the site from / on, of at most 4 levels.',
    es: 'Una dirección del sitio desde /, de como mucho 4 niveles.',
  },
  pagina_de_error_invalida: {
    en: 'The address of an .html file of the site, such as /errors/404.html: letters, digits, `.`, `_` and `-`, at most 200 characters.',
    es: 'La dirección de un archivo .html del sitio, como /errores/404.html: letras, cifras, `.`, `_` y `-`, como mucho 200 caracteres.',
  },
  indice_invalido: {
    en: 'Names of .html, .htm, .xhtml, .shtml and .php files, without folders: letters, digits, `.`, `_` and `-`.',
    es: 'Nombres de archivos .html, .htm, .xhtml, .shtml y .php, sin carpetas: letras, cifras, `.`, `_` y `-`.',
  },
  indice_repetido: { en: 'The same name stands there twice.', es: 'El mismo nombre está dos veces.' },
  demasiados_indices: {
    en: 'At most 8, of 120 characters together.',
    es: 'Como mucho 8, de 120 caracteres entre todos.',
  },
  segundos_de_archivo_invalidos: {
    en: 'A whole number of seconds, from 0 to 31,536,000 (a year).',
    es: 'Un número entero de segundos, de 0 a 31.536.000 (un año).',
  },
  usuario_de_ruta_invalido: {
    en: 'One to 64 letters, digits, `.`, `_`, `@` and `-`.',
    es: 'De 1 a 64 letras, cifras, `.`, `_`, `@` y `-`.',
  },
  programa_invalido: {
    en: 'A program by its name, such as php8.2, or by its path below /usr.',
    es: 'Un programa por su nombre, como php8.2, o por su ruta dentro de /usr.',
  },
  valor_desconocido: {
    en: 'It names a value in braces that this mail does not have.',
    es: 'Nombra entre llaves un valor que este correo no tiene.',
  },
  caracteres_no_admitidos: {
    en: 'The value has characters that are not allowed.',
    es: 'El valor contiene caracteres no admitidos.',
  },
  nombre_de_base_invalido: {
    en: 'Lower-case letters, digits and `_`, beginning with a letter or a digit; at most 31 characters after the client’s own part.',
    es: 'Minúsculas, cifras y `_`, empezando por letra o cifra; como mucho 31 caracteres tras la parte del cliente.',
  },
  usuario_invalido: {
    en: 'One to 16 lower-case letters and digits.',
    es: 'De 1 a 16 minúsculas y cifras.',
  },
  numero_invalido: { en: 'A whole number, zero or more.', es: 'Un número entero, cero o mayor.' },
  cpu_invalida: {
    en: 'A whole number from 1 to 1,000,000; 100 is one processor.',
    es: 'Un número entero de 1 a 1.000.000; 100 es un procesador.',
  },
  memoria_invalida: {
    en: 'Whole bytes, at least 67,108,864 (64 MiB): PHP does not start with less.',
    es: 'Bytes enteros, al menos 67.108.864 (64 MiB): con menos no arranca PHP.',
  },
  procesos_invalidos: {
    en: 'A whole number from 8 to 4,194,304: PHP does not start with fewer.',
    es: 'Un número entero de 8 a 4.194.304: con menos no arranca PHP.',
  },
  segundos_invalidos: {
    en: 'A whole number of seconds, from 1 to 86,400.',
    es: 'Un número entero de segundos, de 1 a 86.400.',
  },
  memoria_de_php_invalida: {
    en: 'Whole bytes, from 16,777,216 (16 MiB) to 1,073,741,824 (1 GiB).',
    es: 'Bytes enteros, de 16.777.216 (16 MiB) a 1.073.741.824 (1 GiB).',
  },
  memoria_sobre_el_plan: {
    en: 'At most {limite} bytes, which is all the memory of the plan.',
    es: 'Como mucho {limite} bytes, que es toda la memoria del plan.',
  },
  subida_de_php_invalida: {
    en: 'Whole bytes, from 1,048,576 (1 MiB) to 134,217,728 (128 MiB).',
    es: 'Bytes enteros, de 1.048.576 (1 MiB) a 134.217.728 (128 MiB).',
  },
  segundos_de_php_invalidos: {
    en: 'A whole number of seconds, from 1 to 120.',
    es: 'Un número entero de segundos, de 1 a 120.',
  },
  max_input_vars_invalido: {
    en: 'A whole number from 100 to 20,000.',
    es: 'Un número entero de 100 a 20.000.',
  },
  limite_invalido: { en: 'A whole number from 1 to 200.', es: 'Un número entero de 1 a 200.' },
  fecha_invalida: { en: 'A date as YYYY-MM-DD.', es: 'Una fecha con la forma AAAA-MM-DD.' },
  caducidad_invalida: {
    en: 'From tomorrow to the same date next year.',
    es: 'Desde mañana hasta la misma fecha del año que viene.',
  },
  cliente_invalido: {
    en: 'Letters, digits, dot, hyphen and underscore, at most 63, a letter or digit at both ends.',
    es: 'Letras, cifras, punto, guion y guion bajo, 63 como máximo, con letra o cifra en los extremos.',
  },
  copia_invalida: { en: 'This is not the id of a copy.', es: 'Esto no es el identificador de una copia.' },
  cuenta_invalida: {
    en: "The client's name, or that followed by _ and up to 16 letters (a to z) or digits.",
    es: 'El nombre del cliente, o ese nombre seguido de _ y hasta 16 letras (a a z) o cifras.',
  },
  huella_invalida: {
    en: 'A fingerprint as ssh-keygen -lf tells it: SHA256: and 43 letters.',
    es: 'Una huella como la da ssh-keygen -lf: SHA256: y 43 letras.',
  },
  llave_invalida: {
    en: 'This public key is not accepted: it must be Ed25519, ECDSA or RSA, without options.',
    es: 'Esta llave pública no se admite: debe ser Ed25519, ECDSA o RSA, sin opciones.',
  },
  llave_debil: {
    en: 'Too weak: RSA needs at least 3072 bits.',
    es: 'Demasiado débil: RSA necesita al menos 3072 bits.',
  },
  llave_de_acceso_invalida: {
    en: 'This passkey could not be checked: it must be new, made for this panel, and ask for a fingerprint, a face or a PIN.',
    es: 'Esta llave de acceso no se ha podido comprobar: debe ser nueva, hecha para este panel, y pedir huella, cara o PIN.',
  },
  color_invalido: { en: 'A colour as #rrggbb.', es: 'Un color con la forma #rrggbb.' },
  color_sin_contraste: {
    en: 'Too light: white text on it could not be read. Choose a darker one.',
    es: 'Demasiado claro: no se leería texto blanco encima. Elija uno más oscuro.',
  },
  soporte_invalido: {
    en: 'An address that begins with https:// or mailto:.',
    es: 'Una dirección que empiece por https:// o mailto:.',
  },
  imagen_invalida: {
    en: 'A PNG of at most 64 KiB, 16 to 1,024 pixels on each side.',
    es: 'Un PNG de 64 KiB como máximo, de 16 a 1.024 píxeles de lado.',
  },
  dominio_invalido: { en: 'This is not a domain name.', es: 'No es un nombre de dominio.' },
  dominio_reservado: { en: 'This name cannot be used here.', es: 'Este nombre no se puede usar aquí.' },
  correo_invalido: { en: 'Enter a valid e-mail address.', es: 'Escriba una dirección de correo válida.' },
  referencia_invalida: {
    en: 'Letters, digits, dot, underscore, colon and hyphen, at most 128.',
    es: 'Letras, cifras, punto, guion bajo, dos puntos y guion, 128 como máximo.',
  },
  region_invalida: {
    en: 'Two capital letters of a country, such as ES or GB.',
    es: 'Dos letras mayúsculas de un país, como ES o MX.',
  },
  zona_horaria_invalida: {
    en: 'A time zone, such as Europe/London.',
    es: 'Una zona horaria, como Europe/Madrid.',
  },
  idioma_invalido: { en: 'Either es or en.', es: 'O bien es, o bien en.' },
  nodo_invalido: { en: 'This is not the name of a node.', es: 'No es el nombre de un nodo.' },
  php_invalido: { en: 'This is not a PHP version.', es: 'No es una versión de PHP.' },
  contrasena_corta: { en: 'At least 12 characters.', es: 'Al menos 12 caracteres.' },
  contrasena_larga: { en: 'At most 128 characters.', es: 'Como máximo 128 caracteres.' },
  contrasena_comun: {
    en: 'This password is on a list of common passwords.',
    es: 'Esta contraseña está en una lista de contraseñas comunes.',
  },
  contrasena_propia: {
    en: 'Your name, domain or e-mail address is the first thing that somebody would try. Choose another password.',
    es: 'Su nombre, su dominio o su correo es lo primero que alguien probaría. Elija otra contraseña.',
  },
  credencial_rechazada: {
    en: 'The provider refuses the credential.',
    es: 'El proveedor rechaza la credencial.',
  },
  url_no_admitida: {
    en: 'It must be a public https:// origin, without a path.',
    es: 'Debe ser un origen https:// público, sin ruta.',
  },
  carpeta_del_sistema: {
    en: 'This folder belongs to the system: name another one.',
    es: 'Esta carpeta es del sistema: indique otra.',
  },
  carpeta_ocupada: {
    en: 'This folder holds other things: name an empty one, or one that has copies already.',
    es: 'Esta carpeta contiene otras cosas: indique una vacía, o una que ya tenga copias.',
  },
  carpeta_no_admitida: {
    en: 'The whole path of a directory of this machine, such as /srv/copias: letters, digits, dots, hyphens and underscores.',
    es: 'La ruta completa de un directorio de esta máquina, como /srv/copias: letras, cifras, puntos, guiones y guiones bajos.',
  },
  sftp_no_admitida: {
    en: 'It must be like sftp://user@server/folder, without a password.',
    es: 'Debe ser como sftp://usuario@servidor/carpeta, sin contraseña.',
  },
  s3_no_admitida: {
    en: 'It must begin with https:// and name the bucket, such as https://s3.example.net/bucket.',
    es: 'Debe empezar por https:// e indicar el bucket, como https://s3.ejemplo.net/bucket.',
  },
  rest_no_admitida: {
    en: 'It must begin with https://. It may have a path; user and password belong to the credential.',
    es: 'Debe empezar por https://. Puede llevar ruta; el usuario y la contraseña van en la credencial.',
  },
  destino_no_admitido: {
    en: 'It must begin with https:// and have no user, password or fragment. A private address needs PANEL_AVISOS_IPS.',
    es: 'Debe empezar por https:// y no llevar usuario, contraseña ni fragmento. Una dirección privada requiere PANEL_AVISOS_IPS.',
  },
  url_fija: { en: 'This provider has one fixed address.', es: 'Este proveedor tiene una dirección fija.' },
  parametro_invalido: {
    en: 'Letters, digits, _ and - only, at most 32.',
    es: 'Solo letras, cifras, _ y -, 32 como mucho.',
  },
  demasiados_parametros: {
    en: 'Together they are longer than 160 characters.',
    es: 'Entre todos pasan de 160 caracteres.',
  },
  alias_repetido: { en: 'The name is given twice.', es: 'El nombre está repetido.' },
  registro_invalido: { en: 'The record is not valid.', es: 'El registro no es válido.' },
}
