import { inLanguage } from '../../text/language.ts'

const en = {
  order: 'Order',
  views: 'Views',
  savedViews: 'Saved views',
  noViewYet: 'None yet. Set filters and an order, then save them under a name.',
  saveThisView: 'Save this view',
  viewName: 'Name of the view',
  forgetView: (name: string) => `Delete the view ${name}`,
  compact: 'Compact rows',
  saveAsCsv: 'Save as CSV',
  readingRows: (rows: string) => `${rows} read…`,
  tooManyRows: 'Only the first 200,000 rows were saved.',
  chooseRow: (name: string) => `Select ${name}`,
  chooseAll: 'Select all shown',
  chosen: 'selected',
  chooseNone: 'Clear the selection',
}

const es: typeof en = {
  order: 'Orden',
  views: 'Vistas',
  savedViews: 'Vistas guardadas',
  noViewYet: 'Aún no hay ninguna. Ponga filtros y un orden, y guárdelos con un nombre.',
  saveThisView: 'Guardar esta vista',
  viewName: 'Nombre de la vista',
  forgetView: (name: string) => `Eliminar la vista ${name}`,
  compact: 'Filas compactas',
  saveAsCsv: 'Guardar como CSV',
  readingRows: (rows: string) => `${rows} leídas…`,
  tooManyRows: 'Solo se guardaron las primeras 200.000 filas.',
  chooseRow: (name: string) => `Seleccionar ${name}`,
  chooseAll: 'Seleccionar todo lo mostrado',
  chosen: 'seleccionados',
  chooseNone: 'Quitar la selección',
}

export const texts = inLanguage({ en, es })
