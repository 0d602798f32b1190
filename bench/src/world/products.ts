import { fillTables } from './crowd.ts'
import type { World } from './world.ts'

// A catalog as shops have it: few words are in many titles, most are in few.
const brands =
  'Alpenrose Borealis Cedarline Dovetail Eastwick Fjordal Granite Harbourman Ironbark Juniper Kestrel Lumen Marlowe Northgate Oakhaven Pinewood Quillon Ravenna Silverbrook Tamarack Umbra Vantage Westerly Yarrow Zephyr Amberly Brightwater Copperfield Drayton Elmwood Foxglove Greenmantle Hollis Inverness Jasperson Kingsley Larkspur Meridian Nettleton Orchard'.split(
    ' ',
  )
const kinds =
  'light heavy waterproof insulated folding portable wireless rechargeable stainless wooden ceramic leather cotton woolen recycled compact professional classic vintage modern outdoor indoor adjustable reversible breathable quilted brushed polished matte glossy'.split(
    ' ',
  )
const colors = 'black white grey navy olive burgundy sand teal coral mustard ivory charcoal'.split(' ')
/** By category. */
const things: Readonly<Record<string, readonly string[]>> = {
  Footwear: 'boot sandal sneaker loafer slipper clog moccasin trainer'.split(' '),
  Clothing: 'shirt jacket trousers sweater cardigan dress skirt coat scarf glove beanie hoodie vest'.split(
    ' ',
  ),
  Kitchen:
    'kettle saucepan skillet teapot grinder whisk ladle toaster blender colander casserole knife'.split(' '),
  Furniture: 'armchair bookshelf wardrobe nightstand stool sideboard ottoman dresser bench table'.split(' '),
  Electronics: 'headphones keyboard monitor speaker charger microphone router projector camera tripod'.split(
    ' ',
  ),
  Garden: 'spade wheelbarrow hose trellis planter rake secateurs lantern hammock parasol'.split(' '),
  Sports: 'racket helmet kayak dumbbell treadmill snowboard bicycle tent backpack compass'.split(' '),
  Books: 'novel atlas cookbook dictionary biography anthology almanac notebook'.split(' '),
}

const shops = 200

/** Puts so many published items into the shops of test mode, and lists them as the follower of their events would. */
export async function publishItems(world: World, model: string, count: number): Promise<void> {
  const { database } = world
  await fillTables(world, ['merchants', 'catalog_items', 'listings', 'listing_words'], async () => {
    await copy(
      world,
      'merchants',
      `(select * from merchants where account_id = (select account_id from catalog_items where id = $1) and mode = 'test')`,
      {
        model,
        count: shops,
        given: {
          account_id: `'acct_shop' || n`,
          slug: `'shop-' || n`,
          domain: `'shop-' || n || '.example'`,
          test_domain: 'null',
        },
      },
    )
    const rows = Object.entries(things).flatMap(([category, names]) =>
      names.map((name) => ({ category, name })),
    )
    // The squares of even shares: the first of a list is chosen far more often than the last.
    const pick = (list: string, salt: number) =>
      `(${list})[1 + floor(power((hashint8(n * 31 + ${salt})::bigint + 2147483648) / 4294967296.0, 2) * cardinality(${list}))::int]`
    const array = (words: readonly string[]) => `'{${words.join(',')}}'::text[]`
    const thing = pick(array(rows.map(({ name }) => name)), 3)
    const category = `(${array(rows.map((row) => row.category))})[array_position(${array(rows.map(({ name }) => name))}, ${thing})]`
    const price = `(500 + abs(hashint8(n * 17)) % 40000)`
    const title = `initcap(${pick(array(kinds), 2)} || ' ' || ${thing}) || ', ' || ${pick(array(colors), 4)}`
    await copy(world, 'catalog_items', '(select * from catalog_items where id = $1)', {
      model,
      count,
      given: {
        account_id: `'acct_shop' || 1 + n % ${shops}`,
        id: `'cat_' || lpad(n::text, 26, '0')`,
        handle: `'item-' || n`,
        title: `${pick(array(brands), 1)} || ' ' || ${title}`,
        description: `'A ' || ${pick(array(kinds), 5)} || ' ' || ${thing} || ' by ' || ${pick(array(brands), 1)} || ', made to be used every day. Model ' || to_hex(n) || '. It is ' || ${pick(array(kinds), 6)} || ' and ' || ${pick(array(kinds), 7)} || ', comes in ' || ${pick(array(colors), 4)} || ' and is sent within two days.'`,
        categories: `array[${category}]`,
        url: `'https://shop-' || 1 + n % ${shops} || '.example/' || n`,
        url_key: `'https://shop-' || 1 + n % ${shops} || '.example/' || n`,
        variants: `jsonb_build_array(m.variants -> 0 || jsonb_build_object('sku', 'SKU-' || n, 'price', ${price}, 'id', 'var_' || lpad(n::text, 26, '0'),
          'availability', case when n % 10 = 0 then 'out_of_stock' else 'in_stock' end))`,
      },
    })
    await database.query(
      `insert into listings select listed.* from catalog_items i cross join lateral prokura_listing(i) listed where i.account_id ~ '^acct_shop'`,
    )
    await database.query(
      `insert into listing_words (mode, word, spellings) select mode, lexeme, prokura_spellings(lexeme) from (
         select distinct l.mode, one.lexeme from listings l, unnest(ts_filter(l.words, '{a,b}')) as one) as said
       where lexeme ~ '^[^0-9]{2,40}$' on conflict do nothing`,
    )
  })
}

type Copies = { model: string; count: number; given: Readonly<Record<string, string>> }

async function copy(
  { database }: World,
  table: string,
  models: string,
  { model, count, given }: Copies,
): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  await database.query(
    `insert into ${table} (${names.join(', ')}) select ${names.map((name) => given[name] ?? `m.${name}`).join(', ')}
     from ${models} m, generate_series(1, $2::int) as n`,
    [model, count],
  )
}

type Search = { query?: string; filters?: object; context?: object; sort?: string }

/** The same searches each time: a third of them misspelled, a third filtered. */
export function searchesOf(count: number): Search[] {
  const nouns = Object.values(things).flat()
  const categories = Object.keys(things)
  // A plain generator, so that every run and every machine asks the same.
  let state = 7
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const one = <T>(list: readonly T[]): T => {
    const found = list[next(list.length)]
    if (found === undefined) throw new Error('there is nothing to choose from')
    return found
  }
  const misspelled = (word: string) => {
    const at = 1 + next(word.length - 2)
    const letters = [...word]
    const [left = '', right = ''] = [letters[at], letters[at + 1]]
    const ways = [
      () => letters.splice(at, 1),
      () => letters.splice(at, 2, right, left),
      () => letters.splice(at, 0, left),
      () => letters.splice(at, 1, one([...'aeiou'])),
    ]
    one(ways)()
    return letters.join('')
  }
  return Array.from({ length: count }, (_, index): Search => {
    const noun = one(nouns)
    const said = index % 3 === 1 ? misspelled(noun) : noun
    const forms = [
      said,
      `${one(kinds)} ${said}`,
      `${one(brands)} ${said}`,
      `${said} ${one(colors)}`,
      `${one(kinds)} ${said} ${one(colors)}`,
    ]
    if (index % 3 !== 2) return { query: one(forms) }
    const filters = one([
      { price: { min: next(10_000), max: 10_000 + next(30_000) } },
      { available: true, price: { max: 5_000 + next(20_000) } },
      { categories: [one(categories)] },
      { categories: [one(categories)], available: true },
    ])
    return { query: one(forms), filters, context: { currency: 'EUR' } }
  })
}
