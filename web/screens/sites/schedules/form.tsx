import { Switch } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { common } from '../../../text/common.ts'
import { Choice, TextArea, TextField } from '../../../ui/forms/fields.tsx'
import { type FieldErrors, OpForm } from '../../../ui/forms/form.tsx'
import { announce } from '../../../ui/toast.tsx'
import type { Schedule } from './runs.tsx'
import { ScriptField } from './script.tsx'
import { texts } from './texts.ts'
import { clock, offsetOf, otherOffset, patternOf, type Timing, timingOf } from './timing.ts'
import { ownZone, weekdayName } from './words.ts'

type FormProps = { domain: string; schedule: Schedule | null; close: () => void }
type Task = {
  timing: Timing
  script: string
  /** As the API has it, for whoever writes that. */
  pattern: string
  command: string
}

const FIRST: Timing = { every: 'day', hour: 3, minute: 0 }

/** A task by how often and which file; by a pattern and a command for those who know them. */
export function ScheduleForm({ domain, schedule, close }: FormProps) {
  const site = useRead('GET /api/sitios/:domain', { params: { domain } })
  const program = site.data?.php ? `php${site.data.php}` : 'php8.2'
  const [task, setTask] = useState(() => taskOf(schedule))
  const [advanced, setAdvanced] = useState(() => schedule !== null && !isSimple(schedule))
  const set = (change: Partial<Task>) => setTask((before) => ({ ...before, ...change }))
  const asSimple = { cuando: patternOf(task.timing, ownOffset()), orden: [program, task.script.trim()] }
  const typed = { cuando: task.pattern, orden: task.command.split('\n').filter((word) => word !== '') }
  const body = advanced ? typed : asSimple
  const switchTo = (wanted: boolean) => {
    // What was chosen so far is what is written out.
    if (wanted) set({ pattern: asSimple.cuando, command: asSimple.orden.join('\n') })
    setAdvanced(wanted)
  }
  const shared = {
    cancel: close,
    done: () => {
      announce(common.saved)
      close()
    },
    children: (error: FieldErrors) => (
      <>
        {advanced ? (
          <Advanced task={task} set={set} error={error} />
        ) : (
          <>
            <TimingFields timing={task.timing} onChange={(timing) => set({ timing })} />
            <ScriptField
              domain={domain}
              value={task.script}
              onChange={(script) => set({ script })}
              error={error('orden')}
            />
          </>
        )}
        <Switch
          label={texts.advanced}
          checked={advanced}
          onChange={(event) => switchTo(event.currentTarget.checked)}
        />
      </>
    ),
  }
  return schedule ? (
    <OpForm
      op="PATCH /api/sitios/:domain/programadas/:id"
      input={{ params: { domain, id: schedule.id }, body }}
      submit={common.save}
      {...shared}
    />
  ) : (
    <OpForm
      op="POST /api/sitios/:domain/programadas"
      input={{ params: { domain }, body }}
      submit={common.create}
      {...shared}
    />
  )
}

const ownOffset = () => offsetOf(ownZone(), new Date())

function taskOf(schedule: Schedule | null): Task {
  if (schedule === null) return { timing: FIRST, script: '', pattern: '', command: '' }
  const { cuando, orden } = schedule
  return {
    timing: timingOf(cuando, ownOffset()) ?? FIRST,
    script: orden[1] ?? '',
    ...{ pattern: cuando, command: orden.join('\n') },
  }
}

const isSimple = ({ cuando, orden: [program = '', file, ...rest] }: Schedule): boolean =>
  timingOf(cuando, 0) !== null && /^php\d/.test(program) && file !== undefined && rest.length === 0

type AdvancedProps = { task: Task; set: (change: Partial<Task>) => void; error: FieldErrors }

const Advanced = ({ task, set, error }: AdvancedProps) => (
  <>
    <TextField
      mono
      label={texts.when}
      description={texts.whenHint}
      value={task.pattern}
      onChange={(pattern) => set({ pattern })}
      error={error('cuando')}
    />
    <TextArea
      mono
      label={texts.command}
      description={texts.commandHint}
      value={task.command}
      onChange={(command) => set({ command })}
      error={error('orden')}
    />
  </>
)

type TimingProps = { timing: Timing; onChange: (timing: Timing) => void }

const MINUTES = [1, 2, 5, 10, 15, 20, 30]

function TimingFields({ timing, onChange }: TimingProps) {
  return (
    <>
      <div className="pair">
        <Choice
          label={texts.howOften}
          value={timing.every}
          onChange={(every) => onChange(timingEvery(every, timing))}
          options={[
            { value: 'minutes', label: texts.someMinutes },
            { value: 'hour', label: texts.oneHour },
            { value: 'day', label: texts.oneDay },
            { value: 'week', label: texts.oneWeek },
          ]}
        />
        {timing.every === 'minutes' ? (
          <Choice
            label={texts.minutes}
            value={String(timing.minutes)}
            onChange={(minutes) => onChange({ ...timing, minutes: Number(minutes) })}
            options={[...new Set([...MINUTES, timing.minutes])].map((one) => ({
              value: String(one),
              label: String(one),
            }))}
          />
        ) : null}
        {timing.every === 'week' ? (
          <Choice
            label={texts.weekday}
            value={String(timing.weekday)}
            onChange={(weekday) => onChange({ ...timing, weekday: Number(weekday) })}
            options={[1, 2, 3, 4, 5, 6, 0].map((one) => ({ value: String(one), label: weekdayName(one) }))}
          />
        ) : null}
        {timing.every === 'day' || timing.every === 'week' ? (
          <TextField
            type="time"
            label={texts.atTime}
            value={clock(timing)}
            onChange={(time) => onChange(atTime(timing, time))}
          />
        ) : null}
      </div>
      <Shift timing={timing} />
    </>
  )
}

function atTime<T extends Timing>(timing: T, time: string): T {
  const [hour, minute] = time.split(':').map(Number)
  return hour === undefined || minute === undefined || Number.isNaN(hour + minute)
    ? timing
    : { ...timing, hour, minute }
}

function timingEvery(every: string, before: Timing): Timing {
  const time = 'hour' in before ? before : { hour: 3, minute: 0 }
  const { hour, minute } = time
  if (every === 'minutes') return { every, minutes: 5 }
  if (every === 'hour') return { every, minute: 0 }
  return every === 'week' ? { every, weekday: 1, hour, minute } : { every: 'day', hour, minute }
}

/** Tasks run by UTC: where clocks are changed, their time is another one half of the year. */
function Shift({ timing }: { timing: Timing }) {
  if (timing.every !== 'day' && timing.every !== 'week') return null
  const [now, other] = [ownOffset(), otherOffset(ownZone(), new Date())]
  if (now === other) return null
  const shifted = timingOf(patternOf(timing, now), other)
  return shifted !== null && 'hour' in shifted ? (
    <p className="faint small">{texts.clockChange(clock(shifted))}</p>
  ) : null
}
