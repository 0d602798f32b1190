import { expect, test } from 'vitest'
import { ownIdOf, shopsOwnId, sourcedId } from './source-id.ts'

test.each(['prod_1', 'gid://shop/Variant/42', 'größe 42', '0'])(
  'the shop knows "%s" by its own id, whoever found it',
  (own) => {
    for (const source of ['reg_1', 'global_catalog']) {
      const id = sourcedId(source, own)
      expect(shopsOwnId(id)).toBe(own)
      expect(ownIdOf(source, id)).toBe(own)
    }
  },
)

test.each(['kettle', 'ucp_', 'ucp_short', 'ucp_12345678!!', 'ucp_12345678_w', ''])(
  '"%s" is the id of a shop already',
  (id) => {
    expect(shopsOwnId(id)).toBe(id)
  },
)
