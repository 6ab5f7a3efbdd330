import { minuteMs } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import type { App } from '#context.ts'
import { isUnfit } from '#platform/http/errors.ts'
import { openCentralSystem, type Session } from '#protocols/ocpp/central-system.ts'
import type { Fact, MeterValue, Outcome } from '#protocols/ocpp/facts.ts'
import { NotUnderstood } from '#protocols/ocpp/frames.ts'
import { askOpenSessions, pendingS, abandonForgotten, saveBoot, saveClosed, saveOpened, saveState } from './states.ts'
import { authorise } from '#charging/tags/authorise.ts'
import { openAlive, openLastSeen } from './presence.ts'
import { openBalancer } from '#charging/sites/balancer.ts'
import { sendChargerCommands, saveProgress, saveVariables } from '#charging/chargers/commands.ts'
import { type Charger, type ChargerKey, openDirectory } from './directory.ts'
import { effectiveTime, skewOf, type Message } from './messages.ts'
import { event, evseOfEvent } from './events.ts'
import { openFrameRing } from './frame-ring.ts'
import { openGroupCommit, openValues, type Values } from './group-commit.ts'
import { keepLocalLists } from '#charging/tags/local-list.ts'
import { normalise, type Reading } from './meter-values.ts'
import { followPlans } from '#charging/sites/plans.ts'
import { forgetProfiles } from '#charging/sites/site-connectors.ts'
import { findByNo, start, stop } from './transactions.ts'

/** Heartbeat interval of a quiet charger, spread so that a storm of boots is not followed by a storm of heartbeats. */
const heartbeatS = (identity: string) => 300 + ((identity.length * 37 + identity.charCodeAt(identity.length - 1)) % 60)
const sweepMs = minuteMs

export const startCentral = async (app: App) => {
  const { records, readings, live, bus, log, metrics, clock, config } = app
  const group = openGroupCommit(records, readings)
  const directory = openDirectory(records, clock.now)
  const signals = openValues(records)
  const onError = (error: unknown) => log.error({ err: error }, 'ocpp: frames or times of chargers were not written')
  const ring = openFrameRing({ records, now: clock.now, onError })
  const seen = openLastSeen({ records, onError })
  const messages = metrics.counter('gridmast_ocpp_messages_total')
  const refused = metrics.counter('gridmast_ocpp_refused_total')

  const publish = ({ customerId, chargerId }: ChargerKey) => {
    if (live.hasListeners(customerId)) live.publish(customerId, 'charger', { chargerId })
  }

  let kicking: NodeJS.Timeout | undefined
  /** Cost, payment and budgets of a session are updated when it begins or ends, together for all sessions of a second. */
  const kickCostsSoon = () => {
    kicking ??= setTimeout(() => {
      kicking = undefined
      void app.jobs.kick('charging-costs')
    }, 1000).unref()
  }

  const serve = (session: Session<Charger>) => {
    const { charger, generation } = session
    let skewMs: number | null = null

    const readingsOf = (values: readonly MeterValue[], receivedMs: number): Reading[] => {
      const timeOf = (stamp: string | null) => effectiveTime(stamp, receivedMs, skewMs).atMs
      const { readings, implausible } = normalise(values, { maxKw: charger.maxKw, timeOf })
      if (implausible > 0) ring.deviations(charger, ['implausible value'])
      return readings
    }
    /** The register that OCPP 1.6 sends with a start and a stop, only at a plausible time: a repeated message must give the same reading. */
    const registerOf = (wh: number, stamp: string | null, end: 'Begin' | 'End', receivedMs: number): Reading[] => {
      const { atMs, isMoved } = effectiveTime(stamp, receivedMs, skewMs)
      return isMoved || wh < 0 ? [] : [{ kind: 'energy', atMs, value: wh, context: `Transaction.${end}` }]
    }
    const valuesOf = async (evse: number | null, readings: readonly Reading[]): Promise<Values | undefined> => {
      if (readings.length === 0) return undefined
      if (evse === null || !signals.isConnector(evse)) {
        ring.deviations(charger, ['values of an unknown connector'])
        return undefined
      }
      const power = readings.findLast(({ kind }) => kind === 'power')
      if (power) balancer.measured(charger, evse, power.value, power.atMs)
      return signals.of(charger, evse, readings)
    }

    const sessionChanged = () => {
      kickCostsSoon()
      publish(charger)
      balancer.changed(charger)
    }

    const handle = async (fact: Fact, message: Message): Promise<string> => {
      const { receivedMs, write } = message
      switch (fact.kind) {
        case 'booted': {
          const intervalS = pendingS(group.waiting(), Math.random())
          if (intervalS > 0) return write({ kind: 'booted', status: 'Pending', nowMs: clock.now(), intervalS })
          await group.commit(async (tx) => {
            await saveBoot(tx, charger, fact, new Date(receivedMs))
            await forgetProfiles(tx, charger)
          })
          publish(charger)
          balancer.changed(charger)
          // After the answer: the charger accepts no call before it.
          setImmediate(() => {
            const connection = central.connectionOf(charger.chargerId)
            if (!connection) return
            lists.sync(charger, connection)
            askOpenSessions(app, charger, connection)
              .then(() => publish(charger))
              .catch(onError)
          })
          const nowMs = clock.now()
          return write({ kind: 'booted', status: 'Accepted', nowMs, intervalS: heartbeatS(charger.identity) })
        }
        case 'heartbeat':
          return write({ kind: 'time', nowMs: clock.now() })
        case 'status': {
          skewMs = skewOf(fact.at, receivedMs)
          const { atMs } = effectiveTime(fact.at, receivedMs, skewMs)
          if (await group.commit((tx) => saveState(tx, charger, fact, atMs))) publish(charger)
          return write({ kind: 'done' })
        }
        case 'authorize': {
          const { info } = await group.commit((tx) =>
            authorise(tx, charger, fact.token, receivedMs, { beginning: { evse: null } }),
          )
          return write({ kind: 'token', info })
        }
        case 'started': {
          const begin = registerOf(fact.meterStartWh, fact.at, 'Begin', receivedMs)
          const answer = await group.commit((tx) => start(tx, message, fact), await valuesOf(fact.evse, begin))
          sessionChanged()
          return answer
        }
        case 'stopped': {
          const readings = readingsOf(fact.values, receivedMs)
          const end = fact.meterStopWh === null ? [] : registerOf(fact.meterStopWh, fact.at, 'End', receivedMs)
          const session =
            readings.length + end.length > 0
              ? await records.system((tx) => findByNo(tx, charger, fact.transactionNo))
              : undefined
          // A register that ran backwards does not state the energy charged.
          const isForward = session && (fact.meterStopWh ?? 0) >= Number(session.meter_start_wh)
          const values = await valuesOf(session?.evse_no ?? null, isForward ? [...readings, ...end] : readings)
          const answer = await group.commit((tx) => stop(tx, message, fact, readings), values)
          sessionChanged()
          return answer
        }
        case 'values': {
          const values = await valuesOf(fact.evse, readingsOf(fact.values, receivedMs))
          if (values) await group.keep(values)
          return write({ kind: 'done' })
        }
        case 'event': {
          const readings = readingsOf(fact.values, receivedMs)
          const evse =
            fact.evse ?? (readings.length > 0 ? await records.system((tx) => evseOfEvent(tx, charger, fact)) : null)
          const answer = await group.commit((tx) => event(tx, message, fact, readings), await valuesOf(evse, readings))
          if (fact.phase === 'updated') publish(charger)
          else sessionChanged()
          return answer
        }
        case 'progress': {
          await group.commit((tx) => saveProgress(tx, charger, fact, new Date(receivedMs)))
          publish(charger)
          return write({ kind: 'done' })
        }
        case 'report': {
          await group.commit((tx) => saveVariables(tx, charger, fact.variables, new Date(receivedMs), true))
          if (fact.isLast) publish(charger)
          return write({ kind: 'done' })
        }
        case 'noted':
          return write({ kind: 'done' })
      }
    }

    return {
      handle: (fact: Fact, meta: { messageId: string; write: (outcome: Outcome) => string }) => {
        messages.inc({ kind: fact.kind })
        return handle(fact, { charger, generation, receivedMs: clock.now(), skewMs, ...meta }).catch(
          (error: unknown) => {
            log.warn({ err: error, charger: charger.identity, kind: fact.kind }, 'ocpp: a message was not processed')
            // A repeated message would be refused again, forever.
            throw isUnfit(error) ? new NotUnderstood('outOfRange', 'A value is out of range') : error
          },
        )
      },
      frame: (direction: 'in' | 'out', text: string) => {
        if (direction === 'in') seen.note(charger, clock.now())
        ring.note(charger, direction, text)
      },
      deviations: (names: readonly string[]) => ring.deviations(charger, names),
      failed: (error: unknown) =>
        log.error({ err: error, charger: charger.identity }, 'ocpp: connection closed after a fault'),
    }
  }

  const central = openCentralSystem<Charger>({
    backend: {
      find: directory.find,
      get: directory.get,
      unknown: ring.unknown,
      opened: async (charger, version, isClaim) => {
        const opening = { version, processId: alive.processId, now: new Date(clock.now()), isClaim }
        const saved = await group.commit((tx) => saveOpened(tx, charger, opening))
        ring.resume(charger, saved.frame_no ?? 0)
        bus.broadcast('charger-opened', [charger.chargerId, saved.generation])
        publish(charger)
        balancer.changed(charger)
        return saved.generation
      },
      closed: (charger, generation) => {
        group
          .commit((tx) => saveClosed(tx, charger, generation))
          .then((isNewest) => {
            if (!isNewest) return
            publish(charger)
            balancer.changed(charger)
          })
          .catch(onError)
      },
      serve,
    },
    trustProxy: config.TRUST_PROXY,
    allowPlain: config.OCPP_PLAIN === 'on',
    now: clock.now,
    onRefused: (reason) => refused.inc({ reason }),
    onError: (error) => log.warn({ err: error }, 'ocpp: a charger was not admitted'),
  })
  const balancer = openBalancer(app, central.connectionOf)
  const plans = followPlans(app, central.connectionOf)
  const lists = keepLocalLists(app, central.open)
  metrics.gauge('gridmast_ocpp_connections', central.count)
  metrics.gauge('gridmast_ocpp_waiting_messages', group.waiting)

  const alive = await openAlive({
    records,
    connections: () =>
      Array.from(central.open(), ({ charger: { customerId, chargerId }, generation }) => ({
        customerId,
        chargerId,
        generation,
      })),
    onOffline: (chargers) => chargers.forEach(publish),
    onError,
  })
  const recheck = () => {
    directory.forget()
    return central.recheck().catch(onError)
  }
  const stops = [
    ...['chargers', 'resync'].map((topic) => bus.listen(topic, () => void recheck())),
    bus.listen('charger-opened', (message) => {
      const opened = z.tuple([z.string(), z.number()]).safeParse(message)
      if (opened.success) central.outdated(...opened.data)
    }),
    sendChargerCommands(app, central.connectionOf),
  ]
  const sweeping = setInterval(() => {
    group.commit((tx) => abandonForgotten(tx, clock.now())).catch(onError)
    void central.recheck().catch(onError)
  }, sweepMs).unref()

  return {
    attach: central.attach,
    flush: () => Promise.all([ring.flush(), seen.flush()]),
    balance: async () => {
      await balancer.tick()
      await plans.tick()
    },
    beat: alive.beat,
    close: async () => {
      clearInterval(sweeping)
      clearTimeout(kicking)
      for (const stop of stops) stop()
      await central.close()
      await balancer.close()
      await plans.close()
      await lists.close()
      await ring.close()
      await seen.close()
      await group.commit(() => Promise.resolve())
      await alive.close()
    },
  }
}
