/** What the server writes into the frame's document. */
type Facts = {
  readonly component: string
  readonly hostOrigin: string
  readonly bootstrap: string
  readonly isTest: boolean
  readonly testCards: readonly TestCard[]
}

/** A card number that test mode takes, and what it shows. */
export type TestCard = { readonly name: string; readonly number: string; readonly says: string }

const usualTestCard: TestCard = { name: 'Visa', number: '4242424242424242', says: 'pays at once' }

export function readFacts(text: string): Facts {
  const { component, host_origin, bootstrap, mode, test_cards } = JSON.parse(text)
  const isTest = mode === 'test'
  const testCards: TestCard[] =
    Array.isArray(test_cards) && test_cards.length > 0 ? test_cards : [usualTestCard]
  return { component, hostOrigin: host_origin, bootstrap, isTest, testCards: isTest ? testCards : [] }
}
