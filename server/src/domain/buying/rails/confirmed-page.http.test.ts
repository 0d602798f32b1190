import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

test('whoever comes back from their bank is told that they are done, whatever the address says', async () => {
  for (const query of ['', '?payment_intent=pi_1&redirect_status=failed', '?payment_intent=<b>x</b>']) {
    const answer = await fetch(`${app.url}/payment_confirmed${query}`)
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('Your bank knows your answer')
    expect(text).not.toContain('pi_1')
    expect(text).not.toContain('<b>x</b>')
  }
})
