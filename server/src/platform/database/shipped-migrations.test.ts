import { expect, test } from 'vitest'
import { migrationsDirectory, readMigrations } from './migration-files.ts'

// Databases out there have applied these texts, and refuse a program that has others.
const shipped = {
  '0001_platform.sql': 'a9874f2b5be68e49229fae40c8e0f5428bdaa6defca9b12f7419ed384750c474',
  '0002_profiles.sql': '6f8101a7e7cd63ccf09544e86db64c65ce99ff856573409ad9425a3b3a95330f',
  '0003_payment_methods.sql': '14b548ff36b91251bfae27604274cdddeb5966b5a03f96130ba03ce839f66f4c',
  '0004_policies.sql': '5102a6ac2cab6f00a50ca3c5c54fa1a354af8a9bf21efa271ed46422a4e9ac94',
  '0005_purchase_intents.sql': 'aeea51d0a217a2b84cdc80bbd2f8404d27997d49c6dbea69b84f2e6fb70f2adf',
  '0006_merchants.sql': 'c68cd522e2334c5ea5093d69acd6c231f4c2608f25542b98dfc7e522fd24cb02',
  '0007_destinations.sql': 'f7701461cf70686aa0916580e226e711da421f4bf117ffb598389a6ad5ec9b78',
  '0008_orders.sql': 'cd043143a04d4a28053bc382676707f23a6a8dff7bda087f42eeb4a7253f679d',
  '0009_execution.sql': 'fdb8ac13c27313fbabeccfcd22c9193603e33568a1596ac90e2ea56f51cbc38f',
}

test('a migration that has shipped is never changed, renamed or removed', () => {
  const here = readMigrations(migrationsDirectory).map(({ name, checksum }) => [name, checksum])
  expect(Object.fromEntries(here.slice(0, 9))).toEqual(shipped)
})
