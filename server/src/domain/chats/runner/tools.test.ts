import { expect, test } from 'vitest'
import { operations } from '../../../composition.ts'
import { chatToolsOf, toolsFor } from './tools.ts'

const tools = chatToolsOf(operations)

test('a chat has no tool that approves, or that changes a limit, a person, an address or where messages go', () => {
  const changing = [...tools.values()].flatMap(({ operation }) => (operation.readOnly ? [] : [operation.id]))
  expect(changing.sort()).toEqual([
    'v1_cancel_purchase_intent',
    'v1_cancel_quote',
    'v1_create_approval_link',
    'v1_create_purchase_intent',
    'v1_create_quote',
    'v1_retry_purchase_intent',
  ])
})

test('a model hears of what it may use, and not of what code uses', () => {
  const all = new Set(operations.flatMap(({ scope }) => (scope === null ? [] : [scope])))
  const heard = toolsFor(tools, all).map(({ name }) => name)
  expect(heard).not.toContain('v1_create_approval_link')
  expect(heard).toHaveLength(tools.size - 1)
  expect(toolsFor(tools, new Set(['catalog:read'])).map(({ name }) => name)).toEqual([
    'v1_search_catalog',
    'v1_lookup_catalog',
    'v1_get_catalog_product',
  ])
})
