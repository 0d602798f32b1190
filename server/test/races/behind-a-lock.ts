import { Client } from 'pg'
import type { TestApp } from '../harness/app.ts'

/**
 * Locks rows and changes them in a transaction of its own, starts `request`, lets it run into the lock (or past it, where there is
 * none), and commits. The answer then shows whether the request saw the change that it had to wait for.
 */
export async function behindALock<T>(
  app: TestApp,
  change: (query: (text: string, ...values: unknown[]) => Promise<unknown>) => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  const holder = new Client({ connectionString: app.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await change((text, ...values) => holder.query(text, values))
    const answered = request()
    await waitsOrAnswers(app, answered)
    await holder.query('commit')
    return await answered
  } finally {
    await holder.end()
  }
}

/** Settles when so many transactions wait for a lock in this database, or when there is an answer already. */
export async function waitsOrAnswers(app: TestApp, answered: Promise<unknown>, waiters = 1): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  answered.then(over, over)
  while (!isOver) {
    const [row] = await app.parts.pools.read<{ waiting: number }>({
      name: '',
      text: `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      values: [],
    })
    if (row && row.waiting >= waiters) return
  }
}
