import { expect, test } from 'vitest'
import { hasChromium } from './harness/browser.ts'
import { prokuraAlone, serviceEnvironment } from './harness/up.ts'

test.runIf(hasChromium)(
  'demo --live-rehearsal buys in live mode at a merchant and at pages, and both ledgers say the same',
  async () => {
    const { code, out, err } = await prokuraAlone(['demo', '--live-rehearsal', '--json'], {
      ...serviceEnvironment(),
      PROKURA_BROWSER: 'on',
    })
    expect(code, err).toBe(0)
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { ledgers } = lines.find((line) => 'ledgers' in line)
    expect(ledgers).toEqual([
      expect.objectContaining({ currency: 'USD', actual_amount: 2500, buyer_paid: 2500, shop_took: null }),
      expect.objectContaining({ currency: 'USD', actual_amount: 5832, buyer_paid: 5832, shop_took: 5832 }),
    ])
    expect(lines.at(-1)).toMatchObject({ next: { guide: 'docs/live.md' } })
  },
)
