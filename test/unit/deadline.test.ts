import { expect, test } from 'bun:test'
import { withinDeadline } from '../../lib/endpoint/deadline.ts'

test('a deadline that has passed already ends at once, without a complaint of the runtime', async () => {
  const complaints: string[] = []
  const complain = ({ name }: Error) => void complaints.push(name)
  process.on('warning', complain)
  try {
    expect(await withinDeadline(new Promise(() => {}), -5, () => 'late')).toBe('late')
    await Bun.sleep(20)
    expect(complaints).toEqual([])
  } finally {
    process.off('warning', complain)
  }
})
