import { defineSlice } from '../../../platform/slices/slice.ts'

export const cardAuthorizations = defineSlice({
  name: 'buying/card-authorizations',
  about: 'Decides what merchants may charge to the cards that were issued for carts.',
  needs: ['accounts/controls', 'buying/rails'],
  tables: ['card_authorizations', 'card_balances', 'card_programs', 'chargeable_cards'],
})
