import { type Arena, answersOf, type Racing } from '../arena.ts'

/** Markets that are made, moved and archived onto one region at once: it has one market at most at any time. */
export async function raceMarkets(arena: Arena): Promise<undefined> {
  for (let round = 0; round < arena.rounds(5); round++) {
    const routing = { include: [{ country: 'NZ', postal_prefixes: [String(round)] }] }
    const made = answersOf(
      await arena.race(Array.from({ length: 20 }, (_, index) => createOf(`r${round}-${index}`, routing))),
    )
    arena.expect(
      made['201'] === 1 && made['409 market_overlap'] === 19,
      () => `twenty markets for one region were answered ${JSON.stringify(made)}`,
    )
    const moved: string[] = []
    for (const name of ['a', 'b', 'c', 'd'])
      moved.push(String((await arena.ask(createOf(`r${round}-${name}`, {}), 201)).id))
    const other = { include: [{ country: 'NZ', subdivisions: [`S${round}`] }] }
    const answers = answersOf(await arena.race(moved.map((id) => moveOf(id, other))))
    arena.expect(
      answers['200'] === 1 && answers['409 market_overlap'] === 3,
      () => `four markets moved onto one region were answered ${JSON.stringify(answers)}`,
    )
    await raceArchive(arena, moved, round)
  }
  const [row] = await arena.query<{ fallbacks: number }>(
    `select count(*)::int as fallbacks from markets where is_fallback and status <> 'archived'`,
  )
  arena.expect(row?.fallbacks === 1, () => `${row?.fallbacks} markets are the fallback`)
  return undefined
}

/** The market that has the fallback gives it up to a request right after it. */
async function raceArchive(arena: Arena, ids: readonly string[], round: number): Promise<void> {
  const fallbacks = `select id from markets where is_fallback and status <> 'archived'`
  const [held] = await arena.query<{ id: string }>(fallbacks)
  const archive: Racing[] = held ? [{ method: 'POST', path: `/v1/markets/${held.id}/archive` }] : []
  const contenders = ids.map((id) => moveOf(id, { is_fallback: true }))
  const answers = await arena.race([...archive, ...contenders])
  const counts = answersOf(answers.slice(archive.length))
  const left = await arena.query<{ id: string }>(fallbacks)
  const taken = counts['200'] ?? 0
  arena.expect(
    taken === left.length && taken + (counts['409 market_overlap'] ?? 0) === ids.length && taken <= 1,
    () => `in round ${round} the fallback was given to ${left.length}: ${JSON.stringify(counts)}`,
  )
  const [first = ''] = ids
  if (left.length === 0) await arena.ask(moveOf(first, { is_fallback: true }), 200)
}

function createOf(code: string, routing: object): Racing {
  return {
    method: 'POST',
    path: '/v1/markets',
    body: { code, currency: 'NZD', default_locale: 'en-NZ', routing },
  }
}

function moveOf(id: string, routing: object): Racing {
  return { method: 'POST', path: `/v1/markets/${id}`, body: { routing } }
}
