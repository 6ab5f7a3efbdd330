import type { LimitName, PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import type { PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber, sumDecimals } from '@gridmast/contract/numbers.ts'
import { formatDate, localTime } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'

type Solved = Extract<PlanAnswer, { plan: unknown }>
type Infeasible = Extract<PlanAnswer, { status: 'infeasible' }>

const limitNames: Record<LimitName, Sentence> = {
  need: 'the energy need',
  target: 'the target state of charge',
  deadline: 'the deadline',
  'load-power': 'the power of the equipment',
  'site-limit': 'the limit of the connection',
  'shared-limit': 'the limit of the group',
  'feed-in': 'the feed-in limit',
  'wished-peak': 'the target peak',
  'capacity-peak': 'the peak of the capacity tariff',
  'sold-reserve': 'the sold capacity',
  'stored-lowest': 'the lowest state of charge',
  'stored-capacity': 'the size of the storage',
  starts: 'the starts per day',
  'min-run': 'the shortest run time',
}

const missedNames = {
  need: 'the energy need',
  target: 'the target state of charge',
  'stored-least': 'the preferred minimum state of charge',
  'stored-most': 'the preferred maximum state of charge',
  'site-peak': 'the target peak',
} as const satisfies Record<Solved['missed'][number]['wish'], Sentence>

/** `21.11. 08:00` */
export const shortTime = (ms: number): string => `${formatDate(ms).slice(0, 6)} ${localTime(ms)}`

const slotOf = (id: string) => {
  const [, product = '', iso = ''] = /^(\S+) (\d{4}-\S+Z)$/.exec(id.replace(/^offer /, '')) ?? []
  return iso === '' ? null : { product, fromMs: Date.parse(iso) }
}

const nameOf = (id: string, names: Record<string, string>): string | null => {
  const slot = slotOf(id)
  return names[id] ?? (slot ? `${slot.product} ${shortTime(slot.fromMs)}` : null)
}

const subject = (name: string, id: string | null, names: Record<string, string>) => {
  const group = id === null ? null : nameOf(id, names)
  return group === null ? name : `${name} (${group})`
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Limits whose figure is for one unit less; for the others it is for one unit more. */
const savesByLess: ReadonlySet<LimitName> = new Set(['need', 'target', 'sold-reserve', 'stored-lowest'])

/** Binding limits, with the value of one unit of each. */
export const bindingWords = ({ binding }: Solved, { names }: Pick<PlanDetail, 'names'>): string[] => {
  // Less than half an øre is no limit.
  const worth = binding.filter(({ dkkPerUnit }) => dkkPerUnit === null || Number(dkkPerUnit) >= 0.005)
  const productOf = ({ limit, id }: BindingLimit) =>
    limit === 'sold-reserve' && id !== null ? slotOf(id)?.product : undefined
  const slots = Map.groupBy(worth, productOf)
  return [...slots].flatMap(([product, group]) =>
    product === undefined || group.length === 1
      ? group.map((one) => boundWords(one, names))
      : slotsWords(product, group),
  )
}

type BindingLimit = Solved['binding'][number]

/** Slots of one product are one sentence: each is a row of the program, and a day has 24. */
const slotsWords = (product: string, slots: readonly BindingLimit[]): string =>
  t(
    '{{count}} sold slots of {{product}} limit the plan between {{from}} and {{to}}: one kW less in each of them would save {{dkk}} DKK together.',
    {
      count: slots.length,
      product,
      from: shortTime(Math.min(...slots.map(({ fromMs }) => fromMs))),
      to: shortTime(Math.max(...slots.map(({ toMs }) => toMs))),
      dkk: digits.dkk(sumDecimals(slots.flatMap(({ dkkPerUnit }) => dkkPerUnit ?? []))),
    },
  )

const boundWords = (
  { limit, id, unit, dkkPerUnit, quarters, fromMs, toMs }: BindingLimit,
  names: PlanDetail['names'],
): string => {
  const values = {
    what: capital(subject(t(limitNames[limit]), id, names)),
    unit,
    from: shortTime(fromMs),
    to: shortTime(toMs),
    hours: digits.hours(quarters / 4),
  }
  if (dkkPerUnit === null)
    return t(
      '{{what}} limits the plan between {{from}} and {{to}} ({{hours}} h in all); without it more targets would be met.',
      values,
    )
  const dkk = digits.dkk(dkkPerUnit)
  return savesByLess.has(limit)
    ? t(
        '{{what}} limits the plan between {{from}} and {{to}} ({{hours}} h in all): one {{unit}} less would save {{dkk}} DKK.',
        { ...values, dkk },
      )
    : t(
        '{{what}} limits the plan between {{from}} and {{to}} ({{hours}} h in all): one {{unit}} more would save {{dkk}} DKK.',
        { ...values, dkk },
      )
}

/** `market` is set where a bid request of it is to be changed. */
export type Notice = { text: string; isWarning: boolean; market?: string }

export const noticeWords = (answer: Solved, { names }: Pick<PlanDetail, 'names'>): Notice[] => {
  const warning = (text: string) => ({ text, isWarning: true })
  const lines: Notice[] = answer.missed.map(({ wish, loadId, fromMs, toMs, by, wished, unit }) =>
    warning(
      t('{{what}} is missed by {{by}} {{unit}} of {{wished}} {{unit}} between {{from}} and {{to}}.', {
        what: capital(subject(t(missedNames[wish]), loadId, names)),
        unit,
        from: shortTime(fromMs),
        to: shortTime(toMs),
        by: digits.target(by),
        wished: digits.target(wished),
      }),
    ),
  )
  if (answer.status === 'best-found')
    lines.push(
      warning(
        typeof answer.gapDkk === 'string'
          ? t('Planning ran out of time. No plan is better than this one by more than {{dkk}} DKK.', {
              dkk: digits.dkk(answer.gapDkk),
            })
          : answer.gapPercent === null
            ? t('Planning ran out of time. This is the best plan that was found.')
            : t('Planning ran out of time. No plan is better than this one by more than {{gap}} %.', {
                gap: digits.gapPercent(answer.gapPercent),
              }),
      ),
    )
  for (const { loadId, needWh, plannedWh } of answer.roundedUp)
    lines.push({
      text: t('{{name}} runs in whole quarters: {{need}} kWh becomes {{planned}} kWh.', {
        name: names[loadId] ?? loadId,
        need: digits.kwhTotal(needWh / 1000),
        planned: digits.kwhTotal(plannedWh / 1000),
      }),
      isWarning: false,
    })
  if (answer.assumedMs.length > 0)
    lines.push(
      warning(
        t(
          '{{count}} quarters from {{from}} have no published price yet. The mean of the same weekday of four weeks is used.',
          {
            count: answer.assumedMs.length,
            from: shortTime(answer.assumedMs[0] ?? 0),
          },
        ),
      ),
    )
  const isOffer = ({ soldId }: { soldId: string }) => soldId.startsWith('offer ')
  // One link per request, after the last of its slots.
  const lastOf = new Map(answer.left.filter(isOffer).map(({ soldId, market }) => [market, soldId]))
  for (const one of answer.left) {
    const { soldId, market, lostDkk, penaltyDkk, span } = one
    const slot = span ? `${market} ${shortTime(span.fromMs)}–${localTime(span.toMs)}` : market
    const cost = digits.dkk(lostDkk)
    lines.push({
      text: isOffer(one)
        ? t(
            'Skipping {{slot}} pays off: remove it from the bid request. At its requested price it would earn {{cost}} DKK.',
            {
              slot,
              cost,
            },
          )
        : t('Skipping {{market}} pays off: it costs {{cost}} DKK and a penalty of {{penalty}} DKK.', {
            market: slot,
            cost,
            penalty: digits.dkk(penaltyDkk),
          }),
      isWarning: false,
      ...(lastOf.get(market) === soldId ? { market } : {}),
    })
  }
  if (answer.leavingSavesDkk !== null)
    lines.push({
      text: t('The best plan that keeps every market costs {{dkk}} DKK more.', {
        dkk: digits.dkk(answer.leavingSavesDkk),
      }),
      isWarning: false,
    })
  return lines
}

const valueOf = (value: number, unit: Infeasible['relaxations'][number]['unit']): string => {
  if (unit === 'ms') return shortTime(value)
  if (unit === 'starts') return t('{{count}} starts', { count: value })
  if (unit === 'quarters') return t('{{count}} quarters', { count: value })
  return `${formatNumber(value, { decimals: 1, minDecimals: 0 })} ${unit}`
}

const isOfTime = (unit: Relaxation['unit']) => unit === 'ms'

/** Rounded to one decimal away from the current value, so that the rounded value works too. */
const outward = (works: number, now: number): number =>
  (works > now ? Math.ceil(works * 10 - 1e-6) : Math.floor(works * 10 + 1e-6)) / 10

/** 45 MW is no useful advice for a connection of 100 kW. */
const maxRatio = 2
const isRealistic = ({ unit, now, works, isEnough }: Relaxation): boolean =>
  !isEnough || isOfTime(unit) || now === 0 || works <= now * maxRatio

/** Changes that resolve a contradiction: each alone if it is enough, otherwise all together. */
export const relaxationWords = ({ relaxations }: Infeasible, { names }: Pick<PlanDetail, 'names'>) => {
  const isSold = ({ limit, isEnough }: Relaxation) => limit === 'sold-reserve' && !isEnough
  const ways = relaxations.filter((one) => !isSold(one))
  const realistic = ways.filter(isRealistic)
  return [
    ...(realistic.length > 0 ? realistic : ways).map((one) => oneRelaxation(one, names)),
    ...soldWords(relaxations.filter(isSold)),
  ]
}

type Relaxation = Infeasible['relaxations'][number]

/** Sold slots are one sentence, and no change of them is suggested. */
const soldWords = (slots: readonly Relaxation[]): string[] => {
  const slotsOfSale = slots.flatMap(({ id, now }) => {
    const slot = id === null ? null : slotOf(id)
    return slot ? [{ ...slot, now }] : []
  })
  return [...Map.groupBy(slotsOfSale, ({ product }) => product)].map(([product, group]) =>
    t('{{count}} slots of {{product}} from {{from}} are sold with up to {{kw}} kW and must be delivered.', {
      count: group.length,
      product,
      from: shortTime(Math.min(...group.map(({ fromMs }) => fromMs))),
      kw: digits.trimmedKw(Math.max(...group.map(({ now }) => now))),
    }),
  )
}

const oneRelaxation = ({ limit, id, unit, now, works, isEnough }: Relaxation, names: PlanDetail['names']) => {
  const values = {
    what: capital(subject(t(limitNames[limit]), id, names)),
    now: valueOf(now, unit),
    works: valueOf(isOfTime(unit) ? works : outward(works, now), unit),
  }
  return isEnough
    ? t('{{what}} is {{now}}. With {{works}} a plan is possible.', values)
    : t('{{what}} is {{now}}. {{works}} is required, together with the other changes.', values)
}

/** A saving that rests on assumed prices is an estimate in whole kroner. */
export const savingText = (dkk: string | null, isAssumed: boolean): string =>
  dkk === null || !isAssumed ? digits.dkk(dkk) : `≈ ${digits.wholeDkk(dkk)}`

export const reasonWords = {
  prices: 'Prices have changed',
  readings: 'Consumption differed from the plan',
  charger: 'A charger was connected or disconnected',
  sold: 'Sold capacity has changed',
} as const satisfies Record<NonNullable<PlanDetail['reason']>, Sentence>

export const endWords = {
  replanned: 'Recalculated',
  another: 'Replaced by another plan',
  'by-hand': 'Ended manually',
  over: 'Over',
} as const satisfies Record<NonNullable<PlanDetail['ended']>['reason'], Sentence>
