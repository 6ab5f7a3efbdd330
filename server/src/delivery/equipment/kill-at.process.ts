import { edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { Aedes } from 'aedes'
import pg from 'pg'
import { die } from '#testing/scripts.ts'

/** `node --import kill-at.process.ts main.ts` with KILL_AT: the server dies as by kill -9 after the commit of a command and before its publication. */
const killAt = process.env['KILL_AT']
const dieIf = (isThere: boolean) => isThere && die()

if (killAt === 'take')
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply: (query, self, given: unknown[]) => {
      dieIf(JSON.stringify(given[0]).includes('update \\"equipment_command\\" as \\"c\\" set \\"sent_at\\"'))
      return Reflect.apply(query, self, given)
    },
  })
if (killAt === 'publish')
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  Aedes.prototype.publish = new Proxy(Aedes.prototype.publish, {
    apply: (publish, self, given: Parameters<Aedes['publish']>) => {
      dieIf(given[0].topic === edgeTopic.commandRequest('north-edge'))
      return Reflect.apply(publish, self, given)
    },
  })
