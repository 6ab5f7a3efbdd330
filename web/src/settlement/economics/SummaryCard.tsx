import { Skeleton } from '@mantine/core'
import type { findSettlements } from '@gridmast/contract/settlement/economics.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { compareDecimals, unknownText } from '@gridmast/contract/numbers.ts'
import type { ReactNode } from 'react'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { Panel } from '#ui/Panel.tsx'
import { Popover } from '#ui/Popover.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Row, Stack, Text, TextButton } from '#ui/Layout.tsx'
import { sharesOf } from './economics-words.ts'
import classes from './economics.module.css'

type Answer = Data<typeof findSettlements>

const euro = (eur: string | null | undefined) =>
  eur === undefined || eur === null ? unknownText : `€ ${digits.eur(eur)}`

const Total = ({ label, children, large }: { label: string; children: ReactNode; large?: boolean }) => (
  <div className={classes.total} data-large={large || undefined}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const tints = [100, 70, 45, 25]
const colourOf = (share: number) => ({
  background: `color-mix(in srgb, var(--gm-data1) ${tints[share]}%, var(--gm-card))`,
})

export const SummaryCard = ({ answer, pending }: { answer: Answer | undefined; pending: boolean }) => {
  const value = (words: string) => (pending ? <Skeleton height={20} width={96} animate={false} /> : words)
  const shares = answer && sharesOf(answer)
  // Without settlements the totals are unknown, not 0.
  const sums = answer && answer.count > 0 ? answer : undefined
  const names = [t('Customer'), t('Partner'), t('Enablers'), 'SC']
  const owes =
    answer &&
    [answer.totalRevenue, answer.totalRevenuePartner, answer.totalRevenueEnabler, answer.totalRevenueSc].some(
      (eur) => eur !== null && compareDecimals(eur, '0') < 0,
    )
  return (
    <Panel title={t('Summary')} label={t('Summary')} help="settlements">
      <dl className={classes.totals}>
        <Total label={t('Customer revenue')} large>
          {value(euro(sums?.totalRevenue))}
        </Total>
        <Total label={t('Partner revenue')}>{value(euro(sums?.totalRevenuePartner))}</Total>
        <Total label={t('Enablers revenue')}>
          {answer && Object.keys(answer.enablersData).length > 0 ? (
            <ByEnabler of={answer.enablersData}>{euro(answer.totalRevenueEnabler)}</ByEnabler>
          ) : (
            value(euro(sums?.totalRevenueEnabler))
          )}
        </Total>
        <Total label={t('SC revenue')}>{value(euro(sums?.totalRevenueSc))}</Total>
        <Total label={t('Energy Revenue')}>{value(euro(sums?.totalRevenueEnergy))}</Total>
        <Total label={t('Count')}>{value(digits.count(answer?.count))}</Total>
      </dl>
      {(shares || pending) && (
        <div className={classes.bar} aria-hidden>
          {shares?.map((share, i) => (
            <i key={names[i]} style={{ ...colourOf(i), flexGrow: share }} />
          ))}
        </div>
      )}
      <Row gap={16} rowGap={4} above={8} ink="ink2" size="label" className={classes.legend}>
        {shares && (
          <Row as="ul" gap={16} rowGap={4}>
            {shares.map((share, i) => (
              <Row as="li" key={names[i]} gap={6}>
                <i style={colourOf(i)} aria-hidden />
                {names[i]} {format.percent(share)}
              </Row>
            ))}
          </Row>
        )}
        {answer && answer.expectedRevenue !== null && (
          <span>
            {t('Customer revenue of days that are not over, expected: {{eur}} €', {
              eur: digits.eur(answer.expectedRevenue),
            })}
          </span>
        )}
        {owes && <Tag kind="warn">{t('A share is below zero, so no bar is drawn')}</Tag>}
        <Text end="wide" ink="ink3">
          {t('Energy Revenue is shown separately · each row opens its formula and sources')}
        </Text>
      </Row>
    </Panel>
  )
}

const ByEnabler = ({ of, children }: { of: Answer['enablersData']; children: ReactNode }) => (
  <Popover
    align="start"
    label={t('Enablers revenue')}
    target={
      <TextButton plain className={classes.opens}>
        {children}
        <span className="gm-hidden"> {t('by enabler')}</span>
      </TextButton>
    }
  >
    {/* A scrolling region must be reachable by keyboard. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <div className={classes.enablers} tabIndex={0} role="region" aria-label={t('by enabler')}>
      <Stack as="dl" gap={6}>
        {Object.entries(of).map(([name, eur]) => (
          <Row key={name} gap={24} nowrap justify="between">
            <dt>{name}</dt>
            <dd className="gm-num">{format.eur(eur)}</dd>
          </Row>
        ))}
      </Stack>
    </div>
  </Popover>
)
