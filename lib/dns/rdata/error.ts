export type RdataCode =
  | 'tipo_no_servido'
  | 'tipo_gestionado'
  | 'faltan_campos'
  | 'sobran_campos'
  | 'numero_invalido'
  | 'direccion_invalida'
  | 'nombre_invalido'
  | 'texto_invalido'
  | 'hexadecimal_invalido'
  | 'parametro_invalido'
  | 'valor_demasiado_largo'

/** Why record data was refused. `codigo` is stable, `mensaje` holds the text in both languages. */
export class RdataError extends Error {
  readonly codigo: RdataCode
  readonly mensaje: { en: string; es: string }

  constructor(codigo: RdataCode, en: string, es: string) {
    super(en)
    this.name = 'RdataError'
    this.codigo = codigo
    this.mensaje = { en, es }
  }
}
