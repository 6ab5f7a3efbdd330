// What people of the demo's companies have written into the portal before a newcomer opens it, by its own API:
// node simulators/back-office/main.ts --portal http://127.0.0.1:8080 [--state folder] [--payments http://127.0.0.1:8092]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { writeAlerts } from './alerts.ts'
import { writeBids } from './bids.ts'
import { runDrivers } from './drivers.ts'
import { nordhavnKeys, vestkystKeys, writeMeters, type Keys } from './meters.ts'
import { writeNotes } from './notes.ts'
import { writePlans } from './plans.ts'
import { signIn } from './portal.ts'
import { writeSites } from './sites.ts'
import { writeSubscriptions } from './subscriptions.ts'
import { writeTags } from './tags.ts'

const { values } = parseArgs({
  options: {
    portal: { type: 'string', default: 'http://127.0.0.1:8080' },
    /** Where the simulated provider of payments listens; without it nobody pays. */
    payments: { type: 'string' },
    /** Folder that remembers what was written: what a person deletes stays deleted. */
    state: { type: 'string' },
  },
})

const tries = 10
const retryMs = 15_000

const companies: [sudoer: string, keys: Keys][] = [
  ['sudoer@nordhavn.example', nordhavnKeys],
  ['sudoer@vestkyst.example', vestkystKeys],
]

/** What one company lacks is no reason to leave out another's. */
const tagsSitesAndMeters = async (portalUrl: string) => {
  let [configured, tags, sites] = [0, 0, 0]
  for (const [email, keys] of companies)
    try {
      const portal = await signIn(portalUrl, email, 'gridmast-demo')
      tags += await writeTags(portal.ask)
      sites += await writeSites(portal.ask)
      configured += await writeMeters(portal.ask, keys)
      await portal.signOut()
    } catch (error) {
      console.error(
        `The tags, sites and meters of ${email} are not set: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  return { configured, tags, sites }
}

/** Their chargers come a little later than the portal. */
const plansOf = async (portalUrl: string): Promise<number> => {
  for (let left = tries; ; left--) {
    const portal = await signIn(portalUrl, 'expert@nordhavn.example', 'gridmast-demo')
    try {
      return await writePlans(portal.ask, Date.now())
    } catch (error) {
      if (left > 1) await setTimeout(retryMs)
      else {
        console.error(`The plans are not made: ${error instanceof Error ? error.message : String(error)}`)
        return 0
      }
    } finally {
      await portal.signOut()
    }
  }
}

const written = values.state && join(values.state, 'back-office.json')
if (!written || !existsSync(written)) {
  const portal = await signIn(values.portal, 'expert@nordhavn.example', 'gridmast-demo')
  const alerts = await writeAlerts(portal.ask, 'drift@nordhavn.example')
  const subscriptions = await writeSubscriptions(portal.ask, 'kontrolrum@nordhavn.example')
  const notes = await writeNotes(portal.ask)
  const bids = await writeBids(portal.ask, Date.now())
  await portal.signOut()
  const { configured, tags, sites } = await tagsSitesAndMeters(values.portal)
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
if (values.payments)
  await runDrivers(() => signIn(values.portal, 'sudoer@vestkyst.example', 'gridmast-demo'), values.payments)
