import { type ForeignCatalogs, goodCatalog, product } from './foreign-catalogs.testing.ts'

/** Twenty merchants with a lamp or two each, of which five say nothing for ever and five answer garbage. */
export async function catalogSearchWorld(world: ForeignCatalogs): Promise<void> {
  for (let at = 0; at < 20; at++) {
    const lamps = [product(`Lamp ${at} a`), product(`Lamp ${at} b`)]
    const isGarbage = at % 4 === 1
    await world.open(`shop-${at}.example`, {
      respond: (asked, response) => {
        if (at % 4 === 0) return
        if (isGarbage)
          response.writeHead(200, { 'content-type': 'application/json' }).end(garbage[at % garbage.length])
        else goodCatalog(lamps)(asked, response)
      },
    })
  }
}

const garbage = [
  '<html><body>Welcome!</body></html>',
  '{"products": [{',
  `{"ucp":{"version":"2026-08-25"},"products":7}`,
]
