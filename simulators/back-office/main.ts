// What people of the demo's companies have written into the portal before a newcomer opens it, by its own API:
// node simulators/back-office/main.ts --portal http://127.0.0.1:8080 [--state folder]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeAlerts } from './alerts.ts'
import { signIn } from './portal.ts'

const { values } = parseArgs({
  options: {
    portal: { type: 'string', default: 'http://127.0.0.1:8080' },
    /** Folder that remembers what was written: what a person deletes stays deleted. */
    state: { type: 'string' },
  },
})

const written = values.state && join(values.state, 'back-office.json')
if (!written || !existsSync(written)) {
  const portal = await signIn(values.portal, 'expert@nordhavn.example', 'gridmast-demo')
  const alerts = await writeAlerts(portal.ask, 'drift@nordhavn.example')
  await portal.signOut()
  if (values.state && written) {
    mkdirSync(values.state, { recursive: true })
    writeFileSync(written, JSON.stringify({ alerts }))
  }
  console.log(`${alerts} alerts of Nordhavn are set.`)
}
