import { areMovesDue, watchMoves } from '../../lib/moves/watch.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'mudanzas',
  summary: 'Open clients again whose move was left, and confirm old moves',
  pattern: '*/10 * * * * *',
  ttlSeconds: 60,
  everyNode: true,
  due: areMovesDue,
  run: watchMoves,
})
