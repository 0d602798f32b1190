import { defineSlice } from '../../../platform/slices/slice.ts'

export const cardAuthorizations = defineSlice({
  name: 'buying/card-authorizations',
  about: 'Decides what merchants may charge to the cards that were issued for carts.',
  needs: ['accounts/controls'],
  tables: ['card_authorizations', 'card_balances', 'chargeable_cards'],
})
