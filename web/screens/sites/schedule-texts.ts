import { inLanguage } from '../../text/language.ts'

const en = {
  scheduledTasks: 'Scheduled tasks',
  newTask: 'New task',
  changeTask: 'Change the task',
  noTasks: 'No tasks yet. WordPress and other programs have periodic work that is best done by one.',
  task: 'Task',
  next: 'Next',
  off: 'off',
  lastRun: 'Last run',
  runs: 'Runs',
  change: 'Change',
  running: 'running',
  never: 'It has not run yet.',
  code: 'code',
  when: 'When (UTC)',
  whenHint:
    'Minute, hour, day, month, day of the week: */5 * * * * is every five minutes, 0 3 * * * daily at three.',
  command: 'Command',
  commandHint: "The program, then each argument on its own line. Paths are relative to the site's folder.",
  runNow: 'Run it now',
  begun: 'It has begun.',
  switchOff: 'Switch it off',
  switchOn: 'Switch it on',
  plazo: 'ended after an hour',
  detenida: 'stopped',
  rechazada: 'could not be started',
  interrumpida: 'cut off by a restart of the panel',
}

const es: typeof en = {
  scheduledTasks: 'Tareas programadas',
  newTask: 'Tarea nueva',
  changeTask: 'Cambiar la tarea',
  noTasks: 'Aún no hay tareas. WordPress y otros programas tienen trabajo periódico que conviene hacer así.',
  task: 'Tarea',
  next: 'Próxima',
  off: 'apagada',
  lastRun: 'Última ejecución',
  runs: 'Ejecuciones',
  change: 'Cambiar',
  running: 'en curso',
  never: 'Aún no se ha ejecutado.',
  code: 'código',
  when: 'Cuándo (UTC)',
  whenHint:
    'Minuto, hora, día, mes, día de la semana: */5 * * * * es cada cinco minutos; 0 3 * * *, cada día a las tres.',
  command: 'Orden',
  commandHint: 'El programa y después cada argumento en su línea. Las rutas parten de la carpeta del sitio.',
  runNow: 'Ejecutarla ahora',
  begun: 'Ha empezado.',
  switchOff: 'Apagarla',
  switchOn: 'Encenderla',
  plazo: 'terminada al cabo de una hora',
  detenida: 'detenida',
  rechazada: 'no se pudo iniciar',
  interrumpida: 'cortada al reiniciarse el panel',
}

export const texts = inLanguage({ en, es })

/** How a run ended that did not end by itself; null while it runs. */
export const reasonWords = (reason: string | null): string => {
  if (reason === null) return texts.running
  const known: Record<string, string> = {
    plazo: texts.plazo,
    detenida: texts.detenida,
    rechazada: texts.rechazada,
    interrumpida: texts.interrumpida,
  }
  return known[reason] ?? reason
}
