import { inLanguage } from '../../../text/language.ts'

const en = {
  content: (name: string) => `Content of ${name}`,
  editorHint: 'Ctrl S saves. Changes are seen by visitors as soon as they are saved.',
  mixedEndings: 'Its lines end in different ways; saved here, they all end alike.',
  changedMeanwhile: 'This file was changed by somebody else meanwhile',
  changedAdvice: 'Nothing was overwritten. Below is what the file holds now; above is yours.',
  goneMeanwhile: 'This file is gone, or is no text any more',
  goneAdvice: 'Nothing was written. Yours is still above, and can be saved where nothing has its name.',
  theirs: 'What the file holds now',
  keepMine: 'Save mine over it',
  takeTheirs: 'Take theirs, drop mine',
  saveAnew: 'Save mine as a new file',
  notShown: 'It cannot be shown here',
  notShownAdvice: 'Only texts in UTF-8 of up to 1 MB and common pictures can. Download it to open it.',
  picture: (name: string) => `Picture ${name}`,
  unsaved: 'Not saved',
  isSaved: 'Saved',
}

const es: typeof en = {
  content: (name) => `Contenido de ${name}`,
  editorHint: 'Ctrl S guarda. Los visitantes ven los cambios en cuanto se guardan.',
  mixedEndings: 'Sus líneas acaban de distintas maneras; al guardarlo aquí acabarán todas igual.',
  changedMeanwhile: 'Alguien ha cambiado este archivo entretanto',
  changedAdvice: 'No se ha sobrescrito nada. Abajo está lo que contiene ahora; arriba, lo suyo.',
  goneMeanwhile: 'El archivo ya no está, o ya no es un texto',
  goneAdvice: 'No se ha escrito nada. Lo suyo sigue arriba y se puede guardar si nada tiene ese nombre.',
  theirs: 'Lo que contiene ahora',
  keepMine: 'Guardar lo mío encima',
  takeTheirs: 'Quedarme con lo otro',
  saveAnew: 'Guardar lo mío como archivo nuevo',
  notShown: 'No se puede mostrar aquí',
  notShownAdvice: 'Solo textos en UTF-8 de hasta 1 MB y las imágenes habituales. Descárguelo para abrirlo.',
  picture: (name) => `Imagen ${name}`,
  unsaved: 'Sin guardar',
  isSaved: 'Guardado',
}

export const texts = inLanguage({ en, es })
