import type { Customer, User } from '@gridmast/contract/people/user.ts'

const customer: Customer = {
  _id: '01930000-0000-7000-8000-0000000000c0',
  name: 'Nordhavn Frost A/S',
  logo: null,
  theme: { primaryColor: '#0b2545' },
  trueGreen: { enabled: true },
  areas: [],
  biddingMarkets: [],
  frequency: [],
  powerCost: [],
  taxes: {},
  properties: {},
  address: { primaryContactName: '', primaryContactEmail: '', billingEmail: '', contact: '', countryCode: '' },
  secondFactorRequired: false,
  e3DashboardConfig: {},
  enabledLicense: {},
  license: {},
  instances: [],
}

/** A user as the server answers it, with overrides. */
export const someUser = ({
  customerId,
  ...person
}: Partial<Omit<User, 'customerId'>> & { customerId?: Partial<Customer> } = {}): User => ({
  _id: '01930000-0000-7000-8000-0000000000a1',
  email: 'mads@nordhavn.example',
  name: 'Mads Sørensen',
  contact: null,
  countryCode: null,
  userRole: 'sudoer',
  profileImage: null,
  passwordUpdatedOn: '2026-11-20T00:00:00Z',
  allowed: {},
  secondFactor: false,
  firstSteps: { open: [], hidden: false },
  ...person,
  customerId: { ...customer, ...customerId },
})
