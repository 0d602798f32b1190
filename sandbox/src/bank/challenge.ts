/** What a bank was asked to ask the holder of a card, and what they said. */
export type Challenge = {
  id: string
  object: 'challenge'
  status: 'pending' | 'confirmed' | 'refused'
  /** The key of the call: the same key is the same question. */
  key: string
  card: string
  purpose: 'approval' | 'enrollment'
  amount: number | null
  currency: string | null
  shops: string[]
  return_url: string
  created_at: string
  answered_at: string | null
}
