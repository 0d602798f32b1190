import { expect, test } from 'vitest'
import { migrationsDirectory, readMigrations } from './migration-files.ts'

// Databases out there have applied these texts, and refuse a program that has others.
const shipped = {
  '0091_baseline.sql': 'eda74253cd7fdff1e4ce7c06dd2b50c377adbcb4acdac33ccf86973703df1101',
  '0092_ids_by_hash.sql': 'e0db2126f5de5148678938a5cd3963b7cc1afe2942995b5e300606a8bc8221dc',
  '0093_only_what_is_used.sql': 'f4d50e95bd8cda6c0726eda85da495e76bfddef4ffbadcbca04251135a95bc53',
  '0094_no_suite_shops.sql': 'f0e3ce9ccc0ecc2f7776d3bbf9bf7a3064e3be1932772ebc007b79dbe7eda01b',
}

test('a migration that has shipped is never changed, renamed or removed', () => {
  const here = readMigrations(migrationsDirectory).map(({ name, checksum }) => [name, checksum])
  expect(Object.fromEntries(here)).toMatchObject(shipped)
})
