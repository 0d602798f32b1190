import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newDestination, newEventDestination } from '../../../../test/harness/deliveries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

test("the view of merchants' destinations shows no buyer's", async () => {
  const merchant = await newDestination(app, 'https://merchant.example/')
  await newEventDestination(app, 'https://buyer.example/')
  expect(await app.sql('select id from destinations')).toEqual([{ id: merchant.id }])
})
