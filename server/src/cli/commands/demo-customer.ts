/** A person who buys in a demo. */
export const demoProfile = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  country: 'US',
  addresses: [
    {
      address_type: 'both',
      line1: '1 Analytical Way',
      city: 'Portland',
      state: 'OR',
      postal_code: '97201',
      country: 'US',
    },
  ],
}

export const demoCard = {
  type: 'card',
  label: 'Demo card',
  card: {
    kind: 'existing',
    vault_token_id: 'visa_auto_approved',
    agentic_credentials_enrollment_requested: true,
    agentic_terms_acknowledged: true,
  },
}
