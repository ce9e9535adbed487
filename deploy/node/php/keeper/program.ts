import control from './control.pl' with { type: 'text' }
import endings from './endings.pl' with { type: 'text' }
import groups from './groups.pl' with { type: 'text' }
import handOver from './hand-over.pl' with { type: 'text' }
import loop from './loop.pl' with { type: 'text' }
import main from './main.pl' with { type: 'text' }
import masters from './masters.pl' with { type: 'text' }
import programs from './programs.pl' with { type: 'text' }
import sockets from './sockets.pl' with { type: 'text' }
import view from './view.pl' with { type: 'text' }
import wanted from './wanted.pl' with { type: 'text' }

/** `main` first: what it declares, all others use. */
const PARTS = {
  main,
  wanted,
  sockets,
  masters,
  view,
  programs,
  endings,
  groups,
  control,
  loop,
  'hand-over': handOver,
}

/** The root daemon that starts clients' PHP and programs: one file, whose messages name the part they come from. */
export const keeperProgram = Object.entries(PARTS)
  .map(([name, text]) => (name === 'main' ? text : `\n# line 1 "keeper/${name}.pl"\n${text}`))
  .join('')
