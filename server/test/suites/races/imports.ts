import { type Arena, answersOf, type Racing } from '../arena.ts'
import { until } from './orders.ts'
import { openSeller } from './seller.ts'

/**
 * The same file is sent four times at once, and once more by all processes under one key: its rows make each item once, in any order
 * of work on the files, and the key makes one import.
 */
export async function raceImports(arena: Arena): Promise<undefined> {
  const rows = 60
  for (let round = 0; round < arena.rounds(2); round++) {
    const { key } = await openSeller(arena, 'Importing')
    const lines = Array.from({ length: rows }, (_, index) => ({
      handle: `item-${index}`,
      title: `Item ${index}`,
      variants: [{ sku: `S-${index}`, price: 100 + index }],
    }))
    const content = lines.map((line) => JSON.stringify(line)).join('\n')
    const path = '/v1/merchant/catalog_items/import'
    const send: Racing = {
      method: 'POST',
      path,
      key,
      headers: { 'content-type': 'application/x-ndjson' },
      content,
    }
    const named: Racing = { ...send, headers: { ...send.headers, 'idempotency-key': `import-${round}` } }
    const sent = await arena.race([send, named, send, named, send, named, send])
    const answers = answersOf(sent)
    arena.expect(
      answers['201'] === sent.length,
      () => `a file sent at once was answered ${JSON.stringify(answers)}`,
    )
    const list: Racing = { method: 'GET', path: '/v1/merchant/catalog_imports', key }
    const imports = async () => (await arena.ask(list, 200)).data as Import[] // the contract's own shape
    await until(async () => (await imports()).every(({ status }) => status === 'completed'))
    const done = await imports()
    arena.expect(done.length === 5, () => `five files were sent, and there are ${done.length} imports`)
    const sum = (name: keyof Import['progress']) =>
      done.reduce((all, { progress }) => all + progress[name], 0)
    arena.expect(
      sum('created') === rows && sum('unchanged') === 4 * rows && sum('failed') + sum('updated') === 0,
      () =>
        `a file sent five times became ${JSON.stringify(done.map(({ status, progress }) => [status, progress]))}`,
    )
    const { total } = await arena.ask({ method: 'GET', path: '/v1/merchant/catalog_items', key }, 200)
    arena.expect(total === rows, () => `${rows} rows made ${total} items`)
  }
}

type Import = {
  status: string
  progress: { created: number; updated: number; unchanged: number; failed: number }
}
