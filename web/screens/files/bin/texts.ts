import { inLanguage } from '../../../text/language.ts'

const en = {
  bin: 'Bin',
  whatIsInIt: 'What was deleted here stays for some days. Until then it counts for your space.',
  deletedFiles: 'Deleted files',
  was: 'It was in',
  deleted: 'Deleted',
  until: 'Kept until',
  actions: 'Actions',
  restore: 'Restore',
  restored: 'Restored.',
  restoreAs: 'Restore as',
  restoreHint: "A path from the site's folder. If something has that name by now, choose another.",
  deleteForGood: 'Delete for good',
  emptyBin: 'Empty the bin',
  emptied: 'The bin is empty.',
  whatEmptyingDoes: 'Everything in the bin is deleted. This cannot be undone.',
  whatDeletingDoes: 'It is deleted with everything in it. This cannot be undone.',
  nothing: 'The bin is empty',
  nothingAdvice: 'What is deleted on this screen comes here.',
}

const es: typeof en = {
  bin: 'Papelera',
  whatIsInIt: 'Lo que se elimina aquí se guarda unos días. Hasta entonces cuenta en su espacio.',
  deletedFiles: 'Archivos eliminados',
  was: 'Estaba en',
  deleted: 'Eliminado',
  until: 'Se guarda hasta',
  actions: 'Acciones',
  restore: 'Restaurar',
  restored: 'Restaurado.',
  restoreAs: 'Restaurar como',
  restoreHint: 'Una ruta desde la carpeta del sitio. Si ya hay algo con ese nombre, elija otro.',
  deleteForGood: 'Eliminar del todo',
  emptyBin: 'Vaciar la papelera',
  emptied: 'La papelera está vacía.',
  whatEmptyingDoes: 'Se elimina todo lo que hay en la papelera. No se puede deshacer.',
  whatDeletingDoes: 'Se elimina con todo lo que contiene. No se puede deshacer.',
  nothing: 'La papelera está vacía',
  nothingAdvice: 'Lo que se elimina en esta pantalla viene aquí.',
}

export const texts = inLanguage({ en, es })
