import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction, usePages } from '../../../api/hooks.ts'
import { common } from '../../../text/common.ts'
import { dateTime, relative } from '../../../text/format.ts'
import { Dialog, SideSheet } from '../../../ui/dialog.tsx'
import { OpForm } from '../../../ui/forms/form.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Card } from '../../../ui/page.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { type Column, PagedTable } from '../../../ui/table.tsx'
import { announce } from '../../../ui/toast.tsx'
import { ScheduleForm } from './form.tsx'
import { RunState, type Schedule, ScheduleRuns } from './runs.tsx'
import { texts } from './texts.ts'
import { commandWords, patternWords } from './words.ts'

/** Programs that run for a site by the clock: when next, how the last run went, and what it said. */
export function Schedules({ domain }: { domain: string }) {
  const [editing, setEditing] = useState<Schedule | 'new' | null>(null)
  const [looking, setLooking] = useState<Schedule | null>(null)
  const pages = usePages(
    'GET /api/sitios/:domain/programadas',
    { params: { domain }, query: {} },
    { again: (rows) => (rows.some(({ en_curso }) => en_curso) ? 2000 : false) },
  )
  const [removing, setRemoving] = useState<Schedule | null>(null)
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
        columns={columns({ edit: setEditing, look: setLooking, remove: setRemoving })}
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
        {shown ? <ScheduleRuns schedule={shown} /> : null}
      </SideSheet>
      <Dialog title={texts.removeTask} opened={removing !== null} close={() => setRemoving(null)}>
        {removing ? <RemoveTask schedule={removing} close={() => setRemoving(null)} /> : null}
      </Dialog>
    </Card>
  )
}

function RemoveTask({ schedule, close }: { schedule: Schedule; close: () => void }) {
  return (
    <OpForm
      op="DELETE /api/sitios/:domain/programadas/:id"
      input={{ params: { domain: schedule.sitio, id: schedule.id } }}
      submit={common.delete}
      danger
      cancel={close}
      done={() => {
        announce(common.deleted)
        close()
      }}
    >
      {() => (
        <p>
          <code>{commandWords(schedule.orden)}</code> · {patternWords(schedule.cuando)}
        </p>
      )}
    </OpForm>
  )
}

type Ways = {
  edit: (schedule: Schedule) => void
  look: (schedule: Schedule) => void
  remove: (schedule: Schedule) => void
}

const columns = ({ edit, look, remove }: Ways): Column<Schedule>[] => [
  {
    head: texts.task,
    long: true,
    cell: ({ orden, cuando }) => (
      <>
        <code>{commandWords(orden)}</code>
        <span className="sub">{patternWords(cuando)}</span>
      </>
    ),
  },
  {
    head: texts.next,
    cell: ({ proxima }) =>
      proxima ? (
        <>
          {dateTime(proxima)}
          <span className="sub">{relative(proxima)}</span>
        </>
      ) : (
        texts.off
      ),
  },
  { head: texts.lastRun, cell: (schedule) => <LastRun schedule={schedule} /> },
  {
    head: common.actions,
    actions: true,
    cell: (schedule) => (
      <>
        <SmallButton onClick={() => look(schedule)}>{texts.runs}</SmallButton>{' '}
        <SmallButton onClick={() => edit(schedule)}>{texts.change}</SmallButton> <Pause schedule={schedule} />{' '}
        <SmallButton onClick={() => remove(schedule)}>{common.delete}</SmallButton>
      </>
    ),
  },
]

function Pause({ schedule: { sitio, id, activa } }: { schedule: Schedule }) {
  const action = useAction('PATCH /api/sitios/:domain/programadas/:id')
  const flip = async () => {
    if (await action.run({ params: { domain: sitio, id }, body: { activa: !activa } })) announce(common.saved)
  }
  return (
    <SmallButton loading={action.busy} onClick={() => void flip()}>
      {activa ? texts.pause : texts.goOn}
    </SmallButton>
  )
}

function LastRun({ schedule: { en_curso, ultima } }: { schedule: Schedule }) {
  if (en_curso) return texts.running
  if (!ultima) return texts.never
  return (
    <>
      <RunState run={ultima} />
      <span className="sub">{dateTime(ultima.cuando)}</span>
    </>
  )
}
