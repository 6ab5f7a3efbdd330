// Users of the demo's companies, through the portal's own API, and their operator: node simulators/back-office/main.ts --portal
// http://127.0.0.1:8080 [--state folder] [--payments http://127.0.0.1:8092] [--operator tools/operator.ts --price-days 400]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { writeAlerts, writeBids, writeNotes, writeSubscriptions } from './content.ts'
import { runDrivers } from './drivers.ts'
import { nordhavnKeys, vestkystKeys, writeMeters, type Keys } from './meters.ts'
import { writePlans } from './plans.ts'
import { signIn } from './portal.ts'
import { writeReader, writeReport } from './statement.ts'
import { writeSites, writeTags } from './sites.ts'
import { importStatement } from './statement.ts'
import { runWeeklyBids } from './weekly-bids.ts'

const { values } = parseArgs({
  options: {
    portal: { type: 'string', default: 'http://127.0.0.1:8080' },
    payments: { type: 'string' },
    /** Folder that records what was written: content that a user deletes is not written again. */
    state: { type: 'string' },
    /** Command line of the operator, which imports bids of past weeks. */
    operator: { type: 'string' },
    'price-days': { type: 'string', default: '400' },
  },
})

const tries = 10
const retryMs = 15_000

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const tagsSitesAndMeters = async (email: string, keys: Keys) => {
  try {
    const { ask, signOut } = await signIn(values.portal, email, 'gridmast-demo')
    const tags = await writeTags(ask)
    const sites = await writeSites(ask)
    const configured = await writeMeters(ask, keys)
    await signOut()
    return { tags, sites, configured }
  } catch (error) {
    console.error(`The tags, sites and meters of ${email} are not set: ${reasonOf(error)}`)
    return { tags: 0, sites: 0, configured: 0 }
  }
}

const expertOf = () => signIn(values.portal, 'expert@nordhavn.example', 'gridmast-demo')

const reportsOf = async (email: string) => {
  const { ask, signOut } = await signIn(values.portal, email, 'gridmast-demo')
  await writeReport(ask)
  await signOut()
}

const requestsOf = async () => {
  const { ask, signOut } = await expertOf()
  const bids = await writeBids(ask, Date.now())
  const alerts = await writeAlerts(ask, 'drift@nordhavn.example')
  const subscriptions = await writeSubscriptions(ask, 'kontrolrum@nordhavn.example')
  const notes = await writeNotes(ask, Date.now())
  await writeReader(ask, 'bogholderi@nordhavn.example')
  await signOut()
  return { bids, alerts, subscriptions, notes }
}

const statementsOf = async () => {
  const { ask, signOut } = await expertOf()
  if (await importStatement(ask, Date.now())) console.log('A statement of the operator is imported.')
  await signOut()
}

const plansOf = async (portalUrl: string): Promise<number> => {
  for (let left = tries; ; left--) {
    const portal = await signIn(portalUrl, 'expert@nordhavn.example', 'gridmast-demo')
    try {
      return await writePlans(portal.ask, Date.now())
    } catch (error) {
      if (left > 1) await setTimeout(retryMs)
      else {
        console.error(`The plans are not made: ${reasonOf(error)}`)
        return 0
      }
    } finally {
      await portal.signOut()
    }
  }
}

const written = values.state && join(values.state, 'back-office.json')
const writeAll = async () => {
  const [nordhavn, vestkyst, requests] = await Promise.all([
    tagsSitesAndMeters('sudoer@nordhavn.example', nordhavnKeys),
    tagsSitesAndMeters('sudoer@vestkyst.example', vestkystKeys),
    requestsOf(),
  ])
  const { bids, alerts, subscriptions, notes } = requests
  const [configured, tags, sites] = [
    nordhavn.configured + vestkyst.configured,
    nordhavn.tags + vestkyst.tags,
    nordhavn.sites + vestkyst.sites,
  ]
  const plans = await plansOf(values.portal)
  if (values.state && written) {
    mkdirSync(values.state, { recursive: true })
    writeFileSync(
      written,
      JSON.stringify({ alerts, subscriptions, notes, bids, meters: configured, tags, sites, plans }),
    )
  }
  console.log(
    `${alerts} alerts, ${subscriptions} email subscriptions, ${notes} notes and ${bids} bid requests of Nordhavn, ${configured} meters, ${tags} tags, ${sites} charging sites and ${plans} plans are set.`,
  )
}
const isNew = !written || !existsSync(written)
const orSay = (what: string, done: Promise<void>) =>
  done.catch((error: unknown) => console.error(`${what}: ${reasonOf(error)}`))
await Promise.all([
  isNew && orSay('The content of the companies is not complete', writeAll()),
  isNew && orSay('No statement is imported', statementsOf()),
  isNew && orSay('No report of Nordhavn is made', reportsOf('sudoer@nordhavn.example')),
  isNew && orSay('No report of Vestkyst is made', reportsOf('sudoer@vestkyst.example')),
  values.operator &&
    values.state &&
    runWeeklyBids(expertOf, { tool: values.operator, state: values.state, priceDays: Number(values['price-days']) }),
  values.payments &&
    runDrivers(() => signIn(values.portal, 'sudoer@vestkyst.example', 'gridmast-demo'), values.payments),
])
