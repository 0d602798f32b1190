import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type JournalLine, openSyncedJournal, readJournal } from './synced-journal.ts'

const line = (wish: number): JournalLine => ({
  kind: 'asked',
  at: '2030-01-01T00:00:00Z',
  name: `w${wish}`,
  deed: 'create',
  wish,
  target: null,
})

test('lines are on disk when append has resolved, in order, and a torn last line is ignored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'journal')
  const journal = await openSyncedJournal(path)
  const first = journal.append(line(0))
  const more = [1, 2, 3].map((wish) => journal.append(line(wish)))
  await first
  expect(readJournal(path)[0]).toEqual(line(0))
  await Promise.all(more)
  expect(readJournal(path)).toEqual([0, 1, 2, 3].map(line))
  await journal.close()
  appendFileSync(path, '{"kind":"answ')
  expect(readJournal(path)).toHaveLength(4)
})
