export type { Upserted } from './decide-upsert.ts'
export { AgenticCatalogItemType, type Item, itemTypes, type Variant } from './item.ts'
export { exportedItem, ItemImport } from './item-import.ts'
export { catalogCurrency, readItem, readItemsAfter, readItemsOfVariants } from './read-items.ts'
export {
  Inputs,
  inputsMax,
  isDate,
  missingInputs,
  RequiredInput,
  RequiredInputWrite,
  requiredInputsMax,
  requiredInputsOf,
} from './required-inputs.ts'
export { type ResolvedUrl, readItemsAt, resolveUrls, urlKeysOf } from './resolve-urls.ts'
export { type Taken, takeStock } from './take-stock.ts'
export { upsertItems } from './upsert-items.ts'
export { findVariant, stockFor, type VariantChoice } from './variants.ts'
