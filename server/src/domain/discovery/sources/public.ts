export { sourcesBudgetMs } from './ask-source.ts'
export { globalCatalogId } from './catalog-sources.ts'
export {
  CatalogSources,
  type Source,
  type SourceAnswer,
  type SourceProduct,
  type UcpCatalog,
} from './port.ts'
export { isSourcedId, ownIdOf, shopsOwnId } from './source-id.ts'
