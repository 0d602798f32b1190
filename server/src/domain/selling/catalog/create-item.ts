import { defineOperation, reply } from '../../../contract/operation.ts'
import { addItem, ItemCreate } from './add-item.ts'
import { MerchantCatalogItem } from './item.ts'

export const createMerchantCatalogItem = defineOperation({
  id: 'v1_create_merchant_catalog_item',
  method: 'POST',
  path: '/v1/merchant/catalog_items',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant catalog',
  summary: 'Create a catalog item',
  description:
    'A new item is a draft: nobody can buy it. Next, publish it with v1_publish_merchant_catalog_item.',
  body: ItemCreate,
  examples: {
    mug: {
      summary: 'Add a mug in two sizes',
      body: {
        handle: 'mug',
        title: 'Blue mug',
        item_type: 'product',
        categories: ['Kitchen'],
        options: [{ name: 'Size', values: ['Small', 'Large'] }],
        variants: [
          {
            sku: 'MUG-S',
            title: 'Small',
            price: 1499,
            currency: 'USD',
            availability: 'in_stock',
            quantity: 40,
            options: [{ name: 'Size', value: 'Small' }],
          },
          {
            sku: 'MUG-L',
            title: 'Large',
            price: 1999,
            currency: 'USD',
            availability: 'in_stock',
            quantity: 25,
            options: [{ name: 'Size', value: 'Large' }],
          },
        ],
      },
    },
  },
  responses: { 201: MerchantCatalogItem },
  problems: ['not_found', 'handle_in_use'],
  conflicts: { catalog_items_handle: 'handle_in_use', catalog_items_url: 'handle_in_use' },
  async handle(ctx, { body }) {
    return reply(201, await addItem(ctx, body))
  },
})
