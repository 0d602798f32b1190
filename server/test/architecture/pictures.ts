import {
  type Arrow,
  arrowsBetween,
  compare,
  type Module,
  roomOf,
  sliceOf,
  withoutShortcuts,
} from './imports.ts'

/** What each room holds, by its name: the table of rooms in CONTRIBUTING. */
type Rooms = ReadonlyMap<string, string>

/** Reads the table whose first column is headed "room of `server/src/`". */
export function roomsIn(contributing: string): Rooms {
  const [, table = ''] = contributing.split(/^\| room of `server\/src\/`.*\n\|[- |]*\n/m)
  const rows = table.split('\n')
  const end = rows.findIndex((row) => !row.startsWith('|'))
  const rooms = rows.slice(0, end).flatMap((row) => {
    const [, names = '', holds = ''] = row.split(/(?<!\\)\|/)
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, holds.trim()] as const)
  })
  if (rooms.length === 0) throw new Error('CONTRIBUTING.md has no table of rooms')
  return new Map(rooms)
}

/** The rooms and what they import, as a picture and as a table. */
export function drawRooms(modules: readonly Module[], rooms: Rooms): string {
  const arrows = arrowsBetween(modules, roomOf)
  const names = inOrder([...new Set(modules.map(({ path }) => roomOf(path)))], arrows)
  const unnamed = names.filter((name) => !rooms.has(name))
  if (unnamed.length > 0)
    throw new Error(`the table of rooms in CONTRIBUTING.md does not say what ${unnamed.join(', ')} holds`)
  const boxes = names.map((name) => `  ${idOf(name)}["${name}<br/>${labelOf(rooms.get(name) ?? '')}"]`)
  return [...picture([...boxes, ...lines(arrows)]), '', ...table('room', names, arrows)].join('\n')
}

/** The slices in their wings and what they import of each other. `about` has what each does, by its name. */
export function drawSlices(modules: readonly Module[], about: ReadonlyMap<string, string>): string {
  const place = sliceOf(modules)
  const arrows = arrowsBetween(modules, place)
  const found = new Set(modules.flatMap(({ path }) => place(path) ?? []))
  const names = inOrder([...found], arrows)
  if (names.length === 0) throw new Error('there is no slice in server/src/domain')
  const wings = [...new Set(names.map(wingOf))].sort(compare)
  const boxes = wings.flatMap((wing) => {
    const inside = names.filter((name) => wingOf(name) === wing).map((name) => `${idOf(name)}["${name}"]`)
    return wing === ''
      ? inside.map((box) => `  ${box}`)
      : [`  subgraph ${wing}`, ...inside.map((box) => `    ${box}`), '  end']
  })
  const silent = names.filter((name) => !about.has(name))
  if (silent.length > 0) throw new Error(`no slice.ts says what ${silent.join(', ')} does`)
  const sentences = names.map((name) => `| \`${name}\` | ${about.get(name)} |`)
  return [
    ...picture([...boxes, ...lines(arrows)]),
    '',
    '| slice | what it does |',
    '|---|---|',
    ...sentences,
    '',
    ...table('slice', names, arrows),
  ].join('\n')
}

/** A slice of no wing stands by itself. */
function wingOf(slice: string): string {
  return slice.includes('/') ? slice.slice(0, slice.indexOf('/')) : ''
}

/** Each before all that it imports; those that do not import each other by name. */
function inOrder(names: readonly string[], arrows: readonly Arrow[]): string[] {
  const left = new Set([...names].sort(compare))
  const ordered: string[] = []
  while (left.size > 0) {
    const isImported = (name: string) => arrows.some(({ from, to }) => to === name && left.has(from))
    // In a circle nobody is first, and the first by name begins.
    const next = [...left].find((name) => !isImported(name)) ?? [...left][0] ?? ''
    left.delete(next)
    ordered.push(next)
  }
  return ordered
}

function picture(inside: readonly string[]): string[] {
  return ['```mermaid', 'flowchart TD', ...inside, '```']
}

function lines(arrows: readonly Arrow[]): string[] {
  return withoutShortcuts(arrows).map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`)
}

function table(what: string, names: readonly string[], arrows: readonly Arrow[]): string[] {
  const importsOf = (name: string) =>
    names.filter((to) => arrows.some((arrow) => arrow.from === name && arrow.to === to))
  return [
    `| ${what} | imports |`,
    '|---|---|',
    ...names.map((name) => {
      const imports = importsOf(name).map((to) => `\`${to}\``)
      return `| \`${name}\` | ${imports.join(', ') || 'nothing'} |`
    }),
  ]
}

/** Mermaid takes words alone for names. */
function idOf(name: string): string {
  return name.replaceAll(/\W+/g, '_').replace(/_$/, '')
}

/** The first part of the sentence, without marks that Mermaid would read. */
function labelOf(holds: string): string {
  return (holds.split(/[:;]/)[0] ?? '').replaceAll(/[`"#<>]/g, '').trim()
}
