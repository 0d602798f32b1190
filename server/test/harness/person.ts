/** A buyer whose address orders can be shipped to. */
export const person = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  country: 'US',
  addresses: [
    {
      address_type: 'both',
      line1: '1 Main St',
      city: 'Springfield',
      state: 'IL',
      postal_code: '62701',
      country: 'US',
    },
  ],
}
