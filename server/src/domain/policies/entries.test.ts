import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coveringDomain, coveringValue, expectLookups } from './entries.ts'

const label = fc.constantFrom('a', 'b', 'shop', 'xshop', '')
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
const list = fc.array(
  name.map((each) => each.toLowerCase()),
  { maxLength: 20 },
)

test('a long list says the same of every domain as each of its entries does, and names the first that covers it', () => {
  fc.assert(
    fc.property(list, fc.array(fc.mixedCase(name), { maxLength: 20 }), (entries, hosts) => {
      const indexed = [...entries]
      expectLookups(indexed, 1000)
      for (const domain of hosts) {
        const host = domain.toLowerCase()
        const expected = entries.find((entry) => host === entry || host.endsWith(`.${entry}`))
        expect(coveringDomain(entries, domain)).toBe(expected)
        expect(coveringDomain(indexed, domain)).toBe(expected)
        expect(coveringValue(indexed, domain)).toBe(entries.find((entry) => entry === domain))
      }
    }),
    { numRuns: 3000 },
  )
})
