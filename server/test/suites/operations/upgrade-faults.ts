import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { queryStored } from '../load/query-stored.ts'
import type { Tally } from '../suite.ts'
import { buyerAt } from './buyer.ts'
import type { Deployment } from './deployment.ts'

/** A bad migration, the SQL that undoes it, and the check that must notice it. */
type Planted = { fault: string; migration: string; undo: string; noticedBy: 'answers' | 'logs' }

const planted: readonly Planted[] = [
  {
    fault: 'a column that the older version writes has another name',
    migration: 'alter table purchase_intents rename column reference_id to reference',
    undo: 'alter table purchase_intents rename column reference to reference_id',
    noticedBy: 'answers',
  },
  {
    fault: 'a new column must be given, which the older version does not know',
    migration:
      'alter table event_rows add column reason text, add constraint reason_given check (reason is not null) not valid',
    undo: 'alter table event_rows drop column reason',
    noticedBy: 'answers',
  },
  {
    fault: 'a table that only workers write is gone',
    migration: 'alter table effects rename to effects_of_carts',
    undo: 'alter table effects_of_carts rename to effects',
    noticedBy: 'logs',
  },
]

const patienceMs = 10_000

type Place = { deployment: Deployment; databaseUrl: string; tally: Tally }

/**
 * Checks that find nothing must be able to: each of these migrations is applied under both versions, and must be noticed in the older one.
 */
export async function plantFaults({ deployment, databaseUrl, tally }: Place): Promise<void> {
  const buyer = buyerAt(deployment.ready)
  const profile = await buyer.profile({ unattended: true })
  for (const [index, { fault, migration, undo, noticedBy }] of planted.entries()) {
    const notices = () =>
      noticedBy === 'answers'
        ? deployment.front.troubles().filter((trouble) => trouble.includes(' old API ')).length
        : deployment.complaints('old').length
    const before = notices()
    await queryStored(databaseUrl, migration)
    const wait = patience(patienceMs)
    for (let number = 0; notices() === before && !wait.isOver(); number++) {
      const name = `planted-${index}-${number}`
      await buyer.ask({ profile, name, kind: 'shop' }).catch(() => undefined)
      await delay(100)
    }
    if (notices() > before) tally.pass()
    else tally.fail(`planted fault was not noticed: ${fault}`)
    await queryStored(databaseUrl, undo)
  }
  tally.figure('planted faults noticed', planted.length)
}
