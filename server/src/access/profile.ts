import { sql } from 'kysely'
import { type DashboardConfig, e3DashboardConfig, user, type User } from '@gridmast/contract/people/user.ts'
import { notFound } from '#platform/http/errors.ts'
import { findOpenSteps } from './first-steps.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { byName } from '#platform/http/list-query.ts'

/** The company's saved dashboard overrides the provisioning file key by key. */
export const dashboardOf = (company: { e3_dashboard_config: unknown; home_dashboard: unknown }): DashboardConfig =>
  e3DashboardConfig.parse({
    ...(company.e3_dashboard_config as object), // both are jsonb objects, checked by the schema
    ...(company.home_dashboard as object | null),
  })

const noAddress = { primaryContactName: '', primaryContactEmail: '', billingEmail: '', contact: '', countryCode: '' }

export const getProfile = async (tx: Tx, customerId: string, userId: string): Promise<User> => {
  const [person, company, licences, frequency, powerCost, instances, openSteps] = [
    await selectRows(tx, customerId, 'app_user', { user_id: userId }).selectAll().executeTakeFirst(),
    await selectRows(tx, customerId, 'customer').selectAll().executeTakeFirst(),
    await selectRows(tx, customerId, 'licence')
      .selectAll()
      .orderBy(byName(sql`name`))
      .execute(),
    await tx
      .selectFrom('frequency_signal as f')
      .innerJoin('signal as s', (join) =>
        join.onRef('s.customer_id', '=', 'f.customer_id').onRef('s.signal_id', '=', 'f.signal_id'),
      )
      .select(['f.frequency_id', 'f.name', 'f.area', 's.instance_id'])
      .where('f.customer_id', '=', customerId)
      .orderBy('f.position')
      .execute(),
    await selectRows(tx, customerId, 'price_signal').selectAll().orderBy('position').execute(),
    await selectRows(tx, customerId, 'instance', { enabled: true }).selectAll().orderBy('position').execute(),
    await findOpenSteps(tx, customerId),
  ]
  if (!person || !company) throw notFound()
  return user.parse({
    _id: person.user_id,
    email: person.email,
    name: person.name,
    contact: person.contact,
    countryCode: person.country_code,
    userRole: person.role,
    profileImage: person.profile_image,
    passwordUpdatedOn: person.password_updated_at.toISOString(),
    allowed: person.allowed,
    secondFactor: person.totp_confirmed_at !== null,
    firstSteps: { open: openSteps, hidden: person.first_steps_hidden },
    customerId: {
      _id: company.customer_id,
      name: company.name,
      logo: company.logo,
      theme: { primaryColor: company.primary_color },
      trueGreen: { enabled: company.true_green },
      areas: company.areas,
      biddingMarkets: company.bidding_markets,
      frequency: frequency.map((row) => ({
        _id: row.frequency_id,
        name: row.name,
        area: row.area,
        instanceId: row.instance_id,
      })),
      powerCost: powerCost.map((row) => ({ _id: row.price_signal_id, name: row.name, area: row.area })),
      // Display only, never used in calculations.
      taxes: Object.fromEntries(powerCost.map((row) => [row.price_signal_id, Number(row.tax_dkk_per_mwh)])),
      properties: company.properties,
      address: { ...noAddress, ...(company.address as object) }, // a jsonb object of texts, checked by the schema
      secondFactorRequired: company.second_factor_required,
      e3DashboardConfig: dashboardOf(company),
      enabledLicense: Object.fromEntries(
        licences.map((row) => [
          row.licence_id,
          { licenseType: { name: row.type, icon: row.icon }, enabled: row.enabled },
        ]),
      ),
      license: Object.fromEntries(
        licences.map((row) => [row.type, { enabled: row.enabled, ...mobilepayOf(row.settings) }]),
      ),
      instances: instances.map((row) => ({
        _id: row.instance_id,
        name: row.name,
        licenseId: row.licence_id,
        market: row.markets,
        area: row.area,
      })),
    },
  })
}

/** For a wall screen, which anybody near it reads: without the person, and without contacts of the company. */
export const withoutPerson = (profile: User, name: string): User => ({
  ...profile,
  email: '',
  name,
  contact: null,
  countryCode: null,
  profileImage: null,
  passwordUpdatedOn: new Date(0).toISOString(),
  secondFactor: false,
  firstSteps: { open: [], hidden: true },
  customerId: { ...profile.customerId, address: noAddress },
})

const mobilepayOf = (settings: unknown) =>
  typeof settings === 'object' && settings !== null && 'mobilepay' in settings
    ? { mobilepay: settings.mobilepay === true }
    : {}
