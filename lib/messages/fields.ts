/** The text of every field code of a 422 (contract section 1). */
export const FIELD_MESSAGES: Record<string, { en: string; es: string }> = {
  obligatorio: { en: 'This field is required.', es: 'Este campo es obligatorio.' },
  campo_desconocido: { en: 'There is no such field here.', es: 'Aquí no existe ese campo.' },
  tipo_incorrecto: { en: 'The value has the wrong type.', es: 'El valor no es del tipo esperado.' },
  valor_no_admitido: {
    en: 'The value is not one of those allowed.',
    es: 'El valor no está entre los admitidos.',
  },
  demasiado_corto: { en: 'The value is too short.', es: 'El valor es demasiado corto.' },
  demasiado_largo: { en: 'The value is too long.', es: 'El valor es demasiado largo.' },
  demasiados: { en: 'There are too many values.', es: 'Hay demasiados valores.' },
  caracteres_no_admitidos: {
    en: 'The value has characters that are not allowed.',
    es: 'El valor contiene caracteres no admitidos.',
  },
  numero_invalido: { en: 'A whole number, zero or more.', es: 'Un número entero, cero o mayor.' },
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
  dominio_invalido: { en: 'This is not a domain name.', es: 'No es un nombre de dominio.' },
  dominio_reservado: { en: 'This name cannot be used here.', es: 'Este nombre no se puede usar aquí.' },
  correo_invalido: { en: 'This is not one e-mail address.', es: 'No es una única dirección de correo.' },
  referencia_invalida: {
    en: 'Letters, digits, dot, underscore, colon and hyphen, at most 128.',
    es: 'Letras, cifras, punto, guion bajo, dos puntos y guion, 128 como máximo.',
  },
  idioma_invalido: { en: 'Either es or en.', es: 'es o en.' },
  nodo_invalido: { en: 'This is not the name of a node.', es: 'No es el nombre de un nodo.' },
  php_invalido: { en: 'This is not a PHP version.', es: 'No es una versión de PHP.' },
  contrasena_corta: { en: 'At least 12 characters.', es: 'Al menos 12 caracteres.' },
  contrasena_larga: { en: 'At most 128 characters.', es: 'Como máximo 128 caracteres.' },
  contrasena_comun: {
    en: 'This password is on a list of common passwords.',
    es: 'Esta contraseña está en una lista de contraseñas comunes.',
  },
  credencial_rechazada: {
    en: 'The provider refuses the credential.',
    es: 'El proveedor rechaza la credencial.',
  },
  url_no_admitida: {
    en: 'It must be a public https:// origin, without a path.',
    es: 'Debe ser un origen https:// público, sin ruta.',
  },
  url_fija: { en: 'This provider has one fixed address.', es: 'Este proveedor tiene una dirección fija.' },
  alias_repetido: { en: 'The name is given twice.', es: 'El nombre está repetido.' },
  registro_invalido: { en: 'The record is not valid.', es: 'El registro no es válido.' },
}
