import { installEvershop, version } from '../evershop/install.ts'
import { startEvershop } from '../evershop/start.ts'
import type { Peer } from '../peer.ts'

export const peer: Peer = {
  about: `EverShop ${version}, with a PostgreSQL of its own and a payment module with a plain form for a card`,
  install: installEvershop,
  start: startEvershop,
}
