import { expect, test } from 'vitest'
import { operations } from '../src/composition.ts'

const idsOf = (kind: string) => operations.filter(({ reads }) => reads === kind).map(({ id }) => id)

test('slow reads run apart: lists, calculations, exports', () => {
  const paged = operations.filter(({ query }) => query && 'offset' in query.properties).map(({ id }) => id)
  expect(paged.length).toBeGreaterThan(10)
  const calculations = [
    'v1_calculate_rate_card',
    'v1_export_chat',
    'v1_get_purchase_intent_evidence_bundle',
    'v1_preview_purchase_intent',
    'v1_search_catalog',
    'v1_simulate_policy',
  ]
  expect(idsOf('long').sort()).toEqual([...paged, ...calculations].sort())
  expect(idsOf('bulk')).toEqual(['v1_export_merchant_catalog_items'])
})

test('no list is read where single objects are', () => {
  const lists = idsOf('short').filter((id) => id.startsWith('v1_list_'))
  // Found by the id of its chat or purchase and a place or sequence, some megabytes at most.
  expect(lists.sort()).toEqual(['v1_list_chat_messages', 'v1_list_purchase_intent_events'])
})
