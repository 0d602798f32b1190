type Wanted = {
  readonly street: string
  /** What at an end of it is for a second line, if it does not fit. */
  readonly unit: string
  /** Flat, floor, care of; empty where there is none. */
  readonly second: string
  /** Characters; null: as many as are needed. */
  readonly firstRoom: number | null
  /** The same of the field for a second line; 0 where there is none. */
  readonly secondRoom: number | null
}

/**
 * A street and what belongs to a second line, as they fit into their fields: written out, else with the abbreviations that people use, else
 * with its end in the second line. Null: it does not fit. Nothing is cut.
 */
export function streetForms({
  street,
  unit,
  second,
  firstRoom,
  secondRoom,
}: Wanted): { street: string; second: string } | null {
  const isOne = secondRoom === 0
  const whole = isOne && second !== '' ? `${street}, ${second}` : street
  const rest = isOne ? '' : second
  const fits = (text: string, room: number | null) => room === null || text.length <= room
  const short = fits(rest, secondRoom) ? rest : abbreviated(rest)
  if (!fits(short, secondRoom)) return null
  for (const text of [whole, abbreviated(whole)])
    if (fits(text, firstRoom)) return { street: text, second: short }
  if (isOne || firstRoom === null) return null
  const bare = withoutUnit(whole, unit)
  for (const text of bare === null ? [] : [bare, abbreviated(bare)]) {
    const below = [unit, short].filter((one) => one !== '').join(', ')
    if (fits(text, firstRoom) && fits(below, secondRoom)) return { street: text, second: below }
  }
  const spilled = spill(abbreviated(whole), firstRoom)
  const both = spilled && [spilled.tail, short].filter((text) => text !== '').join(', ')
  return spilled && both !== null && fits(both, secondRoom) ? { street: spilled.head, second: both } : null
}

/** Null: it stands at neither end. */
function withoutUnit(line: string, unit: string): string | null {
  if (unit === '') return null
  if (line.endsWith(unit)) return line.slice(0, -unit.length).replace(/[\s,;–-]+$/u, '')
  return line.startsWith(unit) ? line.slice(unit.length).replace(/^[\s,;–-]+/u, '') : null
}

/** At the last comma, else at the last space, before the field ends. What goes down is more than a number, and begins with none. */
function spill(text: string, room: number): { head: string; tail: string } | null {
  for (const border of [', ', ' ']) {
    for (let at = text.lastIndexOf(border, room); at > 0; at = text.lastIndexOf(border, at - 1)) {
      const tail = text.slice(at + border.length)
      if (/\p{L}{2}/u.test(text.slice(0, at)) && /\p{L}{2}/u.test(tail) && !/^\d/u.test(tail))
        return { head: text.slice(0, at), tail }
    }
  }
  return null
}

/** Words of addresses that people write in two ways. */
const shortForms: ReadonlyMap<string, string> = new Map(
  `street St|avenue Ave|boulevard Blvd|road Rd|lane Ln|drive Dr|court Ct|place Pl|square Sq|terrace Ter|highway Hwy|parkway Pkwy|circle Cir|crescent Cres
  |close Cl|gardens Gdns|grove Gr|apartment Apt|suite Ste|building Bldg|floor Fl|north N|south S|east E|west W|northwest NW|northeast NE|southwest SW
  |southeast SE|saint St|straße Str.|strasse Str.|platz Pl.|hinterhaus Hs.|avenida Av.|calle C/|rua R.|piazza P.za|viale V.le|corso C.so|straat str.
  |appartement App.|étage Ét.|ulica ul.|aleja al.`
    .split(/\s*\|/u)
    .map((pair) => pair.trim().split(' ') as [string, string]), // two words each
)

function abbreviated(text: string): string {
  return text
    .split(' ')
    .map((word) => {
      const [, plain = '', mark = ''] = /^(.*?)([,.]*)$/u.exec(word) ?? []
      const short = shortForms.get(plain.toLowerCase())
      if (short !== undefined) return short + (mark === '.' ? '' : mark)
      return word.replace(/(?<=\p{L}{3})stra(?:ß|ss)e(?=[,.]?$)/u, 'str.')
    })
    .join(' ')
}

/** A street in one way of writing, to compare what two have written: lower case, without accents, every word in its short form. */
export function plainStreet(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .replaceAll(/stra(?:ss|s)e\b|str\b\.?/gu, 'str')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => (shortForms.get(word) ?? word).toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .join(' ')
}
