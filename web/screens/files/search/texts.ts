import { inLanguage } from '../../../text/language.ts'

const en = {
  search: 'Search by name',
  searchBelow: (folder: string) => `in ${folder} and below`,
  findings: 'Found files',
  folder: 'In the folder',
  nothingFound: 'Nothing has that in its name',
  nothingFoundAdvice: 'Search again from a folder further up, or for a shorter part of the name.',
  notWhole: 'There may be more: the search ended early or could not read a folder. A longer name finds less.',
}

const es: typeof en = {
  search: 'Buscar por nombre',
  searchBelow: (folder) => `en ${folder} y debajo`,
  findings: 'Archivos encontrados',
  folder: 'En la carpeta',
  nothingFound: 'Nada tiene eso en el nombre',
  nothingFoundAdvice: 'Busque desde una carpeta más arriba, o una parte más corta del nombre.',
  notWhole:
    'Puede haber más: la búsqueda acabó antes o no pudo leer una carpeta. Un nombre más largo da menos resultados.',
}

export const texts = inLanguage({ en, es })
