import { archiveMerchantCatalogItem } from './archive-item.ts'
import { createMerchantCatalogItem } from './create-item.ts'
import { getMerchantCatalogItem, listMerchantCatalogItems } from './get-items.ts'
import { publishMerchantCatalogItem } from './publish-item.ts'
import { updateMerchantCatalogItem } from './update-item.ts'

export const merchantCatalogOperations = [
  createMerchantCatalogItem,
  listMerchantCatalogItems,
  getMerchantCatalogItem,
  updateMerchantCatalogItem,
  publishMerchantCatalogItem,
  archiveMerchantCatalogItem,
]
