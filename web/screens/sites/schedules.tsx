import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { dateTime, number, relative } from '../../text/format.ts'
import { Dialog, SideSheet } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/forms/fields.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Card } from '../../ui/page.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { type Schedule, ScheduleRuns } from './schedule-runs.tsx'
import { reasonWords, texts } from './schedule-texts.ts'

/** Programs that run for a site by the clock: when next, how the last run went, and what it said. */
export function Schedules({ domain }: { domain: string }) {
  const [editing, setEditing] = useState<Schedule | 'new' | null>(null)
  const [looking, setLooking] = useState<Schedule | null>(null)
  const pages = usePages(
    'GET /api/sitios/:domain/programadas',
    { params: { domain }, query: {} },
    { again: (rows) => (rows.some(({ en_curso }) => en_curso) ? 2000 : false) },
  )
  const shown = pages.rows.find(({ id }) => id === looking?.id) ?? looking
  return (
    <Card
      title={texts.scheduledTasks}
      actions={
        <Button size="compact-sm" leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
          {texts.newTask}
        </Button>
      }
    >
      <PagedTable
        label={texts.scheduledTasks}
        pages={pages}
        rowKey={({ id }) => id}
        columns={columns({ edit: setEditing, look: setLooking })}
        empty={<p className="faint small">{texts.noTasks}</p>}
      />
      <Dialog
        title={editing === 'new' ? texts.newTask : texts.changeTask}
        opened={editing !== null}
        close={() => setEditing(null)}
      >
        {editing === null ? null : (
          <ScheduleForm
            domain={domain}
            schedule={editing === 'new' ? null : editing}
            close={() => setEditing(null)}
          />
        )}
      </Dialog>
      <SideSheet title={texts.runs} opened={looking !== null} close={() => setLooking(null)}>
        {shown ? <ScheduleRuns schedule={shown} close={() => setLooking(null)} /> : null}
      </SideSheet>
    </Card>
  )
}

type Ways = { edit: (schedule: Schedule) => void; look: (schedule: Schedule) => void }

const columns = ({ edit, look }: Ways): Column<Schedule>[] => [
  {
    head: texts.task,
    long: true,
    cell: ({ orden, cuando }) => (
      <>
        <code>{orden.join(' ')}</code>
        <span className="sub mono">{cuando}</span>
      </>
    ),
  },
  { head: texts.next, cell: ({ proxima }) => (proxima ? relative(proxima) : texts.off) },
  { head: texts.lastRun, cell: lastWords },
  {
    head: common.actions,
    actions: true,
    cell: (schedule) => (
      <>
        <Button size="compact-sm" variant="default" onClick={() => look(schedule)}>
          {texts.runs}
        </Button>{' '}
        <Button size="compact-sm" variant="default" onClick={() => edit(schedule)}>
          {texts.change}
        </Button>
      </>
    ),
  },
]

function lastWords({ en_curso, ultima }: Schedule): string {
  if (en_curso) return texts.running
  if (!ultima) return texts.never
  const how = ultima.motivo === 'terminada' ? `${texts.code} ${ultima.codigo}` : reasonWords(ultima.motivo)
  const time = ultima.ms === null ? '' : ` · ${number(ultima.ms)} ms`
  return `${dateTime(ultima.cuando)} · ${how}${time}`
}

type FormProps = { domain: string; schedule: Schedule | null; close: () => void }

function ScheduleForm({ domain, schedule, close }: FormProps) {
  const [cuando, setWhen] = useState(schedule?.cuando ?? '*/5 * * * *')
  const [command, setCommand] = useState(schedule?.orden.join('\n') ?? 'php8.2\npublic/wp-cron.php')
  const orden = command.split('\n').filter((word) => word !== '')
  const shared = {
    cancel: close,
    done: () => {
      announce(common.saved)
      close()
    },
  }
  const fields = (error: (field: string) => string | undefined) => (
    <>
      <TextField
        mono
        label={texts.when}
        description={texts.whenHint}
        value={cuando}
        onChange={setWhen}
        error={error('cuando')}
        autoFocus
      />
      <TextArea
        mono
        label={texts.command}
        description={texts.commandHint}
        value={command}
        onChange={setCommand}
        error={error('orden')}
      />
    </>
  )
  if (schedule) {
    return (
      <OpForm
        op="PATCH /api/sitios/:domain/programadas/:id"
        input={{ params: { domain, id: schedule.id }, body: { cuando, orden } }}
        submit={common.save}
        {...shared}
      >
        {fields}
      </OpForm>
    )
  }
  return (
    <OpForm
      op="POST /api/sitios/:domain/programadas"
      input={{ params: { domain }, body: { cuando, orden } }}
      submit={common.create}
      {...shared}
    >
      {fields}
    </OpForm>
  )
}
