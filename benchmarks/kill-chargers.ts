// node benchmarks/kill-chargers.ts [kills] [chargers]: 500 chargers, half of them charging, while the server is killed (kill -9) twenty times,
// ten of them at named places.
import { killFleet, places } from '../server/src/charging/ledger/fleet-kill.fixture.ts'

const [kills = 20, chargers = 500] = process.argv.slice(2).map(Number)
const charging = Math.floor(chargers / 2)
const sessions = 6
const { found, wanted, ...more } = await killFleet({
  chargers,
  charging,
  sessions,
  kills: places(kills, Math.floor(charging / 4)),
  log: (text) => console.error(text),
})
const differences = (key: 'sessions' | 'registers' | 'series') => {
  const [here, there] = [new Set(found[key]), new Set(wanted[key])]
  return {
    lost: wanted[key].filter((one) => !here.has(one)).length,
    wrong: found[key].filter((one) => !there.has(one)).length,
    doubled: found[key].length - here.size,
  }
}
console.log(
  JSON.stringify({
    ...more,
    sessions: differences('sessions'),
    registers: differences('registers'),
    series: differences('series'),
    messages: { kept: found.messages, wanted: wanted.messages },
  }),
)
process.exit(0)
