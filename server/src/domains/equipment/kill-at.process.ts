import { edgeTopic } from '@gridmast/contract/edge.ts'
import { Aedes } from 'aedes'
import pg from 'pg'

/** `node --import kill-at.process.ts main.ts` with KILL_AT: the server dies as by kill -9 where a command is committed and not yet published. */
const die = () => process.kill(process.pid, 'SIGKILL')

if (process.env['KILL_AT'] === 'take') {
  const { query } = pg.Client.prototype
  // Stands in for all forms of the method, and passes what it is given on as it came.
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    if (JSON.stringify(given[0]).includes('update \\"equipment_command\\" as \\"c\\" set \\"sent_at\\"')) die()
    return Reflect.apply(query, this, given)
  } as typeof query
} else if (process.env['KILL_AT'] === 'publish') {
  const { publish } = Aedes.prototype
  Aedes.prototype.publish = function (packet, done) {
    if (packet.topic === edgeTopic.commandRequest('north-edge')) die()
    publish.call(this, packet, done)
  }
}
