import type { Settlement } from '@gridmast/contract/settlement/economics.ts'
import { compareDecimals, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, today } from '@gridmast/contract/time.ts'
import { IconCheck, IconClock, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { digits } from '#lib/format.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, Hint } from '#ui/DataTable.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Row, Text, TextButton } from '#ui/Layout.tsx'
import { enablersOf, type State, stateOf, stateTags, stateWords } from './economics-words.ts'
import classes from './economics.module.css'

const icons: Record<State, ReactNode> = {
  inactive: null,
  waiting: <IconClock size={12} stroke={2} aria-hidden />,
  won: <IconCheck size={12} stroke={2} aria-hidden />,
  lost: <IconX size={12} stroke={2} aria-hidden />,
}

export const StateTag = ({ state, of }: { state: State; of?: string }) => (
  <Tag kind={stateTags[state]} icon={icons[state]}>
    {of && `${of}: `}
    {t(stateWords[state])}
  </Tag>
)

const Status = ({ row, isAllSimulated }: { row: Settlement; isAllSimulated: boolean }) => {
  const { date, status, isResultFetched, isClosed, penalty, version, simulated } = row
  const isOver = date < today(useNow(60_000))
  const tag = <StateTag state={stateOf(status.CM)} />
  return (
    <Row as="span" inline gap={8} rowGap={4} className={classes.status}>
      {isResultFetched ? tag : <Hint words={t('The results have not been published yet')}>{tag}</Hint>}
      {status.EAM.result && <StateTag of={t('Energy')} state={stateOf(status.EAM)} />}
      {penalty !== null && compareDecimals(penalty, '0') < 0 && (
        <Hint words={t('Sold and not available')}>
          <Tag kind="down">{t('Penalty {{eur}} €', { eur: digits.eur(penalty) })}</Tag>
        </Hint>
      )}
      {!isClosed && (
        <Hint
          words={
            isOver
              ? t('Bids are settled the night after their day.')
              : t('The day is not over yet, so its availability is unknown.')
          }
        >
          <Tag>{isOver ? t('Not settled yet') : t('Day not over')}</Tag>
        </Hint>
      )}
      {version > 1 && (
        <Hint words={t('Corrected: this is version {{n}}. The earlier ones can be opened.', { n: version })}>
          <Tag kind="outline">v{version}</Tag>
        </Hint>
      )}
      {simulated && !isAllSimulated && <Tag kind="outline">{t('Simulated')}</Tag>}
    </Row>
  )
}

const Energy = ({ row: { energyState, energyPrice } }: { row: Settlement }) => {
  if (energyState === 'known' || energyState === 'none') return digits.eur(energyPrice)
  return (
    <Hint
      words={
        energyState === 'open'
          ? t('The day is not over yet, so its energy is unknown.')
          : t('A price, a result or a measurement of its energy is missing. Open the row to see which.')
      }
    >
      {unknownText}
    </Hint>
  )
}

type Props = { isAllSimulated: boolean; onInfo: (row: Settlement) => void }

export const useColumns = ({ isAllSimulated, onInfo }: Props): Columns<Settlement> => {
  const phone = usePhone()
  const share = (row: Settlement, eur: string | null) =>
    eur === null && row.gross !== null ? (
      <Hint
        words={t('No contract is valid on this day, so the shares are unknown. Gross {{eur}} €.', {
          eur: digits.eur(row.gross),
        })}
      >
        {unknownText}
      </Hint>
    ) : row.isClosed ? (
      digits.eur(eur)
    ) : (
      // The shares of a day that is not over are expected.
      <Text ink="ink3">{digits.eur(eur)}</Text>
    )
  const infoLabel = (row: Settlement) =>
    t('How {{name}} earned with {{type}} on {{date}}', {
      name: row.instanceIdName,
      type: row.type,
      date: formatDate(row.date),
    })
  return [
    column.date('date', t('Date'), ({ date }) => date, { card: 'plain' }),
    phone
      ? column.cell(
          'instance',
          t('Instance'),
          (row) => (
            <TextButton plain covers aria-label={infoLabel(row)} onClick={() => onInfo(row)}>
              {row.instanceIdName}
            </TextButton>
          ),
          { card: 'lead' },
        )
      : column.text('instance', t('Instance'), ({ instanceIdName }) => instanceIdName, { cut: 28 }),
    column.text('type', t('Type'), ({ type }) => type, { card: 'plain' }),
    column.figure(
      'capacity',
      t('Capacity (MW)'),
      ({ capacity }) => `${digits.fixedMw(capacity)}${phone ? ' MW' : ''}`,
      { card: 'plain' },
    ),
    column.figure(
      'customer',
      t('Customer revenue (€)'),
      (row) => (
        <Text as="b" {...(row.isClosed ? { weight: 'strong' } : { weight: 'normal', ink: 'ink3' })}>
          {share(row, row.customer)}
          {phone && row.customer !== null && '\u00a0€'}
        </Text>
      ),
      { card: 'plain' },
    ),
    // On a phone a card has two lines; the dialog has the rest.
    column.figure('partner', t('Partner (€)'), (row) => share(row, row.partner), { card: 'none' }),
    column.figure('enablers', t('Enablers (€)'), (row) => share(row, enablersOf(row)), { card: 'none' }),
    column.figure('sc', t('SC (€)'), (row) => share(row, row.sc), { card: 'none' }),
    column.figure('energy', t('Energy (€)'), (row) => <Energy row={row} />, { card: 'none' }),
    column.cell('status', t('Status'), (row) => <Status row={row} isAllSimulated={isAllSimulated} />, {
      card: 'corner',
    }),
    column.actions(t('Info'), (row) => [{ icon: IconInfoCircle, label: infoLabel(row), onClick: () => onInfo(row) }], {
      card: 'none',
    }),
  ]
}
