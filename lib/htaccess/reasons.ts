import type { SitePhp, SiteRedirect } from '../../schema/clients.ts'
import type { FILE_CLASSES } from '../../schema/states.ts'

/** Why something of a `.htaccess` is taken otherwise than it stands there. */
export const CHANGES = [
  'contrasena_nueva',
  'cerrada',
  'limitado',
  'solo_esa_direccion',
  'solo_en_su_carpeta',
  'codigo_302',
  'mayusculas',
  'consulta',
  'por_clases',
  'el_mas_corto',
  'sin_path_info',
] as const

/** Why something is left. */
export const LEFT = [
  'ya_hay_otra',
  'demasiadas',
  'condiciones',
  'por_nombre',
  'por_consulta',
  'por_direccion',
  'expresion',
  'destino',
  'indice',
  'reescritura',
  'cache_de_paginas',
  'ruta_como_parametro',
  'raiz_web',
  'encima',
  'carpeta',
  'apagada',
  'cabecera',
  'tipo',
  'manejador',
  'version_de_php',
  'programas',
  'ajuste_de_php',
  'variable',
  'archivos_por_nombre',
  'muy_honda',
  'listado',
  'codigo',
  'pagina',
  'tiempo',
  'sin_clase',
  'juego_de_caracteres',
  'seccion',
  'modulo',
  'mal_escrita',
  'desconocida',
  'demasiado_grande',
  'no_es_texto',
] as const

export type Change = (typeof CHANGES)[number]
export type Reason = (typeof LEFT)[number]

/** The settings of a site that a `.htaccess` can set. */
export const SETTINGS = [
  'redirecciones',
  'protegidas',
  'paginas_error',
  'indice',
  'indice_spa',
  'cache',
  'php_ajustes',
  'solo_https',
] as const
export type Setting = (typeof SETTINGS)[number]

export type FileClass = (typeof FILE_CLASSES)[number]

/** What one directive sets. */
export type Wish =
  | { setting: 'redirecciones'; value: SiteRedirect }
  | { setting: 'protegidas'; value: { path: string; user: string } }
  | { setting: 'paginas_error'; value: { status: string; page: string } }
  | { setting: 'indice'; value: string[] }
  | { setting: 'indice_spa' | 'solo_https'; value: true }
  | { setting: 'cache'; value: { of: FileClass; seconds: number; immutable: boolean } }
  | { setting: 'php_ajustes'; value: Partial<SitePhp> }

/** What becomes of a directive: it sets something, holds anyway or as part of a setting, or is left. */
export type Verdict =
  | { wishes: Wish[]; change: Change | null }
  | { holds: true; change?: Change; part?: Setting }
  | { left: Reason }

export const HOLDS: Verdict = { holds: true }
export const left = (reason: Reason): Verdict => ({ left: reason })
export const wishes = (change: Change | null, ...list: Wish[]): Verdict => ({ wishes: list, change })
