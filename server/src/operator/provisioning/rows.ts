import type { DashboardConfig } from '@gridmast/contract/people/user.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { edgeRow, instanceRow, signalId, signalRows } from '#delivery/instances/rows.ts'
import { idOf } from '#platform/records/ids.ts'
import type { DashboardCell, ProvisionedCustomer, ProvisionedGate, ProvisionedVersion } from './file.ts'

export type ProvisionedRow = Record<string, unknown>

export type FileTable = {
  table: string
  key: string[]
  rows: ProvisionedRow[]
  missing: 'disable' | 'delete' | 'keep'
  /** Columns that the file sets on new rows only; later the users of the portal own them. */
  initial?: string[]
}

export const rowsOfFile = (company: ProvisionedCustomer, demo: boolean): FileTable[] => {
  const id = (what: string, key: string) => idOf(what, company.key, key)
  const customer_id = idOf('customer', company.key)
  const cell = (from: DashboardCell | undefined) =>
    from && {
      ...(from.value ? { value: from.value } : {}),
      ...(from.instance ? { groupId: id('instance', from.instance) } : {}),
      ...(from.frequency ? { frequencyId: id('frequency', from.frequency) } : {}),
      ...(from.priceSignal ? { priceSignalId: id('price-signal', from.priceSignal) } : {}),
      ...(from.licence ? { licenseTypeId: id('licence', from.licence) } : {}),
    }
  const { r1c1, r1c2, r1c3, r2c1, r2c2, r3c1, r3c2, ...flags } = company.dashboard
  const cells = Object.entries({ r1c1, r1c2, r1c3, r2c1, r2c2, r3c1, r3c2 }).filter(([, from]) => from)
  const dashboard: DashboardConfig = {
    ...flags,
    ...Object.fromEntries(cells.map(([name, from]) => [name, cell(from)])),
  }

  const tables: FileTable[] = [
    {
      table: 'customer',
      key: ['customer_id'],
      missing: 'keep',
      initial: ['address'],
      rows: [
        {
          key: company.key,
          name: company.name,
          language: company.language,
          primary_color: company.theme.primaryColor,
          true_green: company.trueGreen,
          areas: company.areas,
          cvrs: company.cvrs,
          bidding_markets: company.biddingMarkets,
          properties: company.properties,
          address: company.address,
          support: company.support ?? {},
          e3_dashboard_config: dashboard,
          demo,
        },
      ],
    },
    {
      table: 'app_user',
      key: ['customer_id', 'user_id'],
      missing: 'disable',
      initial: ['email', 'name', 'contact', 'country_code'],
      rows: company.users.map((user) => ({
        user_id: id('user', user.email.toLowerCase()),
        email: user.email,
        name: user.name,
        role: user.role,
        contact: user.contact ?? null,
        country_code: user.countryCode ?? null,
        allowed: user.allowed,
        enabled: true,
      })),
    },
    {
      table: 'licence',
      key: ['customer_id', 'licence_id'],
      missing: 'disable',
      rows: company.licences.map((one) => ({ licence_id: id('licence', one.type), ...one })),
    },
    {
      table: 'edge',
      key: ['customer_id', 'edge_id'],
      missing: 'disable',
      // The version is for the simulator only: the server receives it from the edge.
      rows: company.edges.map(({ password: _, simulatedVersion: __, ...one }) => ({
        ...edgeRow(company.key, one),
        registered_by: null,
      })),
    },
    {
      table: 'instance',
      key: ['customer_id', 'instance_id'],
      missing: 'disable',
      initial: ['name', 'description'],
      rows: company.instances.map(({ licence, edge, contracts: _, ...one }, position) => ({
        ...instanceRow(company.key, one, { licence_id: id('licence', licence), edge_id: id('edge', edge), position }),
        registered_by: null,
      })),
    },
    {
      table: 'instance_contract',
      key: ['customer_id', 'instance_id', 'valid_from'],
      missing: 'delete',
      rows: company.instances.flatMap((one) =>
        one.contracts.map(({ from, to, ...contract }) => ({
          instance_id: id('instance', one.key),
          valid_from: from,
          valid_to: to ? addDays(to, 1) : null,
          customer_percent: contract.customer.toFixed(4),
          partner_percent: contract.partner.toFixed(4),
          sc_percent: contract.sc.toFixed(4),
          enablers: contract.enablers,
          auctions: contract.auctions.map((name) => `D-1 ${name}`),
          default_price_eur: contract.defaultPriceEur.toFixed(2),
          penalty_to: contract.penaltyTo,
        })),
      ),
    },
    {
      table: 'signal',
      key: ['customer_id', 'signal_id'],
      missing: 'keep',
      rows: company.instances.flatMap((one) => signalRows(company.key, one.key)),
    },
    {
      table: 'price_signal',
      key: ['customer_id', 'price_signal_id'],
      missing: 'delete',
      rows: company.priceSignals.map(({ taxDkkPerMwh, ...one }, position) => ({
        price_signal_id: id('price-signal', one.key),
        ...one,
        tax_dkk_per_mwh: Number(taxDkkPerMwh).toFixed(6),
        position,
      })),
    },
    {
      table: 'charger',
      key: ['customer_id', 'charger_id'],
      missing: 'disable',
      rows: company.chargers.map((one, position) => ({
        charger_id: id('charger', one.identity),
        identity: one.identity,
        name: one.name,
        description: one.description,
        licence_id: id('licence', one.licence),
        charger_type: one.type,
        connectors: one.connectors,
        max_kw: one.maxKw.toFixed(3),
        area: one.area ?? null,
        price_signal_id: one.priceSignal ? id('price-signal', one.priceSignal) : null,
        security_profile: one.securityProfile,
        simulated: one.simulated,
        position,
        enabled: true,
      })),
    },
    {
      table: 'frequency_signal',
      key: ['customer_id', 'frequency_id'],
      missing: 'delete',
      rows: company.frequency.map(({ instance, ...one }, position) => ({
        frequency_id: id('frequency', one.key),
        ...one,
        signal_id: signalId(company.key, instance, 'frequency'),
        position,
      })),
    },
  ]
  return tables.map((table) => ({ ...table, rows: table.rows.map((row) => ({ customer_id, ...row })) }))
}

export const versionsOfFile = (versions: readonly ProvisionedVersion[]): FileTable => ({
  table: 'application_version',
  key: ['version_id'],
  missing: 'delete',
  rows: versions.map((one) => ({ version_id: idOf('version', one.application, one.title), ...one })),
})

export const gatesOfFile = (gates: readonly ProvisionedGate[]): FileTable => ({
  table: 'market_gate',
  key: ['market', 'auction'],
  missing: 'delete',
  rows: gates.map(({ market, auction = '', daysAhead, closesAt }) => ({
    market,
    auction,
    days_ahead: daysAhead,
    closes_at: closesAt,
  })),
})
